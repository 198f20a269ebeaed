package org.svcmailbox.ejb.rendezvous;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the log of a class or package until closed. */
final class Logged extends Handler implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;

  Logged(Class<?> type) {
    this(type.getName());
  }

  /** Matches all loggers with this prefix. */
  Logged(String name) {
    logger = Logger.getLogger(name);
    before = logger.getLevel();
    logger.setLevel(Level.ALL);
    setLevel(Level.ALL);
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
  }

  List<String> lines(Level level) {
    return records.stream()
        .filter(logged -> logged.getLevel().equals(level))
        .map(Logged::text)
        .toList();
  }

  List<String> lines() {
    return records.stream().map(Logged::text).toList();
  }

  private static String text(LogRecord logged) {
    Object[] parameters = logged.getParameters();
    return parameters == null
        ? logged.getMessage() + logged.getThrown()
        : MessageFormat.format(logged.getMessage(), parameters);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(before);
  }
}
