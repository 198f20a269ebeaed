package org.svcmailbox.undertow.intake;

import io.undertow.server.Connectors;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.xnio.IoUtils;

/**
 * The deadline for a request's body. The body must be complete within a timeout plus the time that
 * its size may take, and never be silent for longer than the timeout. Otherwise the connection is
 * closed, which ends the request.
 */
final class BodyDeadline implements ExchangeCompletionListener {
  private final HttpServerExchange exchange;
  private final long timeout;
  private final long inAll;
  private final LongAdder cuts;
  private final Alarm alarm;
  private volatile boolean isRunning;
  private volatile long since;
  private volatile long arrivedAt;

  /**
   * Does not run yet.
   *
   * @param exchange the request
   * @param timeout the longest silence
   * @param expected the bytes for which to allow time
   * @param cuts counts the requests that were too late
   */
  BodyDeadline(HttpServerExchange exchange, Duration timeout, long expected, LongAdder cuts) {
    this.exchange = exchange;
    this.timeout = timeout.toNanos();
    this.inAll = this.timeout + Bounds.nanosFor(expected);
    this.cuts = cuts;
    this.alarm = new Alarm(exchange.getIoThread(), this::left, this::cut);
  }

  /** Starts the deadline if it does not run yet. */
  void begin() {
    if (!isRunning) {
      since = System.nanoTime();
      arrivedAt = since;
      isRunning = true;
      alarm.set();
    }
  }

  /** Records that some of the body has arrived. */
  void arrived() {
    arrivedAt = System.nanoTime();
  }

  /** Expects nothing until it begins again. */
  void pause() {
    isRunning = false;
  }

  /** Ends the deadline, because the body is complete. */
  void end() {
    alarm.cancel();
  }

  private long left() {
    if (!isRunning) {
      return Alarm.NEVER;
    }
    long now = System.nanoTime();
    return Math.min(inAll - (now - since), timeout - (now - arrivedAt));
  }

  private void cut() {
    if (exchange.getConnection().isOpen()) {
      cuts.increment();
    }
    close(exchange);
  }

  /** Closes the request's connection, or its stream, and ends the request. */
  static void close(HttpServerExchange exchange) {
    IoUtils.safeClose(exchange.getConnection());
    if (!(exchange.getConnection() instanceof HttpServerConnection)) {
      // Unlike closing a connection, resetting a stream does not end its exchange. Ending the
      // exchange normally would wait for the stream to accept an answer.
      Connectors.terminateRequest(exchange);
      Connectors.terminateResponse(exchange);
    }
  }

  @Override
  public void exchangeEvent(HttpServerExchange ended, NextListener next) {
    end();
    next.proceed();
  }
}
