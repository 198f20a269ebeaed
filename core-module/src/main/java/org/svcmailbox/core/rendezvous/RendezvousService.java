package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rendezvous door as its servlets call it. Any thread; no method blocks, but for {@link
 * #admit}.
 */
public interface RendezvousService {
  /** The settings of the servlets; empty when the door is off, and then nothing else is called. */
  Optional<DoorSettings> settings();

  /**
   * Judges the address, the rate, and the token, in this order. A capability that was not presented
   * for a while is looked up in the database: not for an I/O thread.
   */
  Admission admit(Knock knock);

  /** Leaves a message; on {@code STORED} it is in memory. */
  PostOutcome post(Pass pass, RecipientId recipient, byte[] body);

  /**
   * Takes the oldest message, or waits for one.
   *
   * @param wait zero to answer at once
   * @param receiver called exactly once, on this or another thread, unless abandoned before
   * @return abandons the request: nothing is handed to it from then on. When a message already was,
   *     the receiver has to call {@link Handover#failed}
   */
  Runnable get(Pass pass, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver);

  /** When a request may succeed that was refused because a bound was reached; at least 1 s. */
  Duration retryAfter();

  /** Tells how many connections are open, whenever that changes. */
  void connections(int open);

  /** Whether the door can take more. */
  Health health();

  /** Counts a response: feeds {@code request_latency} and {@code error_counts}. */
  void answered(Right right, int status, Duration took);

  /** The door's metrics, in Prometheus' text format. */
  String metrics();

  /** The service itself, where this is a container's proxy of it. */
  default RendezvousService plain() {
    return this;
  }

  /** The states of {@code /health}. */
  enum Health {
    HEALTHY,
    OVERLOADED,
    STOPPING
  }
}
