package org.svcmailbox.undertow.framing;

import java.util.concurrent.atomic.LongAdder;

/** Counts what was refused below the server's handlers, on all listeners since the start. */
public final class Refusals {
  /** Requests that are malformed or ambiguous. */
  public static final Refusals FRAMING = new Refusals();

  /** Requests whose head was too large. */
  public static final Refusals HEAD_TOO_LARGE = new Refusals();

  /** HTTP/2 connections that ended for too many resets or other frames. */
  public static final Refusals HTTP2_FLOOD = new Refusals();

  private final LongAdder count = new LongAdder();

  private Refusals() {}

  void increment() {
    count.increment();
  }

  /** The number of refusals. */
  public long sum() {
    return count.sum();
  }
}
