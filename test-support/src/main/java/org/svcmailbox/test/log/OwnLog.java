package org.svcmailbox.test.log;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Collects, until closed, what the test's own thread logs, because other tests may run in parallel.
 * Used by that thread alone.
 */
public final class OwnLog extends Handler implements AutoCloseable {
  private final Thread thread = Thread.currentThread();
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final List<LogRecord> records = new ArrayList<>();
  private final Logger logger;

  /** Of this logger and those below it. */
  public OwnLog(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord logged) {
    if (Thread.currentThread() == thread) {
      records.add(logged);
    }
  }

  /** Each line as level and text. */
  public List<String> lines() {
    return records.stream()
        .map(logged -> logged.getLevel() + " " + formatter.formatMessage(logged))
        .toList();
  }

  /** The lines of one level. */
  public List<String> lines(Level level) {
    return lines().stream().filter(line -> line.startsWith(level + " ")).toList();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
