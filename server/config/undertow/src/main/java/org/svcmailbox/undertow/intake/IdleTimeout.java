package org.svcmailbox.undertow.intake;

import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.AttachmentKey;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.xnio.IoUtils;
import org.xnio.Options;

/**
 * How long an HTTP/1.1 connection stays open between two requests. It runs from the end of the
 * first request; until then the listener's own read timeout applies. A request costs a few fields
 * and no timer.
 */
final class IdleTimeout implements ExchangeCompletionListener {
  private static final Logger LOG = System.getLogger(IdleTimeout.class.getName());
  private static final AttachmentKey<IdleTimeout> KEY = AttachmentKey.create(IdleTimeout.class);

  /** How much longer the listener's read timeout is, which also runs between requests. */
  private static final Duration NET = Duration.ofMinutes(1);

  private final HttpServerConnection connection;
  private final long timeout;
  private final LongAdder cuts;
  private final Alarm alarm;
  private volatile boolean isIdle;
  private volatile long since;

  private IdleTimeout(HttpServerConnection connection, Duration timeout, LongAdder cuts) {
    this.connection = connection;
    this.timeout = timeout.toNanos();
    this.cuts = cuts;
    this.alarm = new Alarm(connection.getIoThread(), this::left, this::cut);
  }

  /**
   * Stops the idle time for one request; it starts again from zero when the request ends.
   *
   * @param cuts counts connections that were idle for too long
   */
  static void pauseFor(HttpServerExchange exchange, Duration timeout, LongAdder cuts) {
    // An HTTP/2 connection always reads, so the listener's read timeout is its idle timeout.
    if (exchange.getConnection() instanceof HttpServerConnection connection) {
      IdleTimeout idle = of(connection, timeout, cuts);
      idle.isIdle = false;
      exchange.addExchangeCompleteListener(idle);
    }
  }

  private static IdleTimeout of(HttpServerConnection connection, Duration timeout, LongAdder cuts) {
    IdleTimeout known = connection.getAttachment(KEY);
    if (known != null) {
      return known;
    }
    IdleTimeout first = new IdleTimeout(connection, timeout, cuts);
    connection.putAttachment(KEY, first);
    connection.addCloseListener(closed -> first.alarm.cancel());
    first.outlastListener(timeout);
    return first;
  }

  private void outlastListener(Duration timeout) {
    try {
      connection.setOption(Options.READ_TIMEOUT, (int) timeout.plus(NET).toMillis());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection keeps the listener''s read timeout: {0}", e.getMessage());
    }
  }

  @Override
  public void exchangeEvent(HttpServerExchange ended, NextListener next) {
    since = System.nanoTime();
    isIdle = true;
    alarm.set();
    // Last, because an early next request begins in here.
    next.proceed();
  }

  private long left() {
    return isIdle ? timeout - (System.nanoTime() - since) : Alarm.NEVER;
  }

  private void cut() {
    if (connection.isOpen()) {
      cuts.increment();
      IoUtils.safeClose(connection);
    }
  }
}
