package org.svcmailbox.undertow.intake;

import io.undertow.server.Connectors;
import io.undertow.server.ExchangeCompletionListener;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.xnio.IoUtils;

/**
 * Until when a request's body must be here: whole within a timeout and the time that its size may
 * take, and never silent for longer than the timeout. After that the connection is closed, and with
 * it the request ends.
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
   * A deadline that does not run yet.
   *
   * @param exchange the request
   * @param timeout how long nothing may arrive
   * @param expected the bytes to allow time for
   * @param cuts counts the requests that were too late
   */
  BodyDeadline(HttpServerExchange exchange, Duration timeout, long expected, LongAdder cuts) {
    this.exchange = exchange;
    this.timeout = timeout.toNanos();
    this.inAll = this.timeout + Bounds.nanosFor(expected);
    this.cuts = cuts;
    this.alarm = new Alarm(exchange.getIoThread(), this::left, this::cut);
  }

  /** From now on, if it does not run already. */
  void begin() {
    if (!isRunning) {
      since = System.nanoTime();
      arrivedAt = since;
      isRunning = true;
      alarm.set();
    }
  }

  /** Some of the body has come. */
  void arrived() {
    arrivedAt = System.nanoTime();
  }

  /** Nothing is expected until it begins again. */
  void pause() {
    isRunning = false;
  }

  /** The body is here. */
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
      // Unlike a closed connection, a reset stream does not end its exchange, and ending it
      // normally would wait for the stream to take an answer.
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
