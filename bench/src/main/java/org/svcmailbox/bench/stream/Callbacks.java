package org.svcmailbox.bench.stream;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One message after another, each from before its SEND until a stream's client has it. Nothing else
 * is under way, and each is acknowledged before the next.
 */
abstract class Callbacks implements Closeable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private int number;

  /**
   * A message came.
   *
   * @param nanos when
   * @param acknowledgement does it
   */
  record Arrival(long nanos, Runnable acknowledgement) {}

  /** Sends a message and returns once that is answered. */
  abstract void send(String key) throws Exception;

  /** By the stream's client. */
  final void arrived(Arrival arrival) {
    arrivals.add(arrival);
  }

  /** The nanoseconds of each message of this time. */
  List<Long> during(Duration lasting) throws Exception {
    long end = System.nanoTime() + lasting.toNanos();
    List<Long> nanos = new ArrayList<>();
    for (long before = System.nanoTime(); before - end < 0; before = System.nanoTime()) {
      send("callback-" + number++);
      Arrival arrival = arrivals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (arrival == null) {
        throw new IllegalStateException("no message comes");
      }
      nanos.add(arrival.nanos() - before);
      arrival.acknowledgement().run();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return nanos;
  }

  @Override
  public abstract void close() throws IOException;
}
