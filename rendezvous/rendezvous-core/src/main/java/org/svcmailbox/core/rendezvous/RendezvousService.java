package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.svcmailbox.core.capability.BodyOwners;

/** The rendezvous service as its servlets call it. Any thread; only {@link #admit} blocks. */
public interface RendezvousService {
  /** Empty when the service is off; no other method may then be called. */
  Optional<DoorSettings> settings();

  /**
   * Checks address, rate and token, in this order. Do not call it on an I/O thread: a capability
   * may need the database.
   */
  AccessAnswer admit(AccessRequest request);

  /** The holders of tokens for a mailbox. */
  BodyOwners bodyOwners(RecipientId recipient);

  /** Stores a message; on {@code STORED} it is in memory. */
  PostOutcome post(Access access, RecipientId recipient, byte[] body);

  /**
   * Takes the oldest message, or waits for one.
   *
   * @param wait zero to answer at once
   * @param receiver called exactly once, on any thread, unless the request is abandoned first
   * @return abandons the request. If a message was already handed over, the receiver must call
   *     {@link Handover#failed}
   */
  Runnable get(Access access, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver);

  /** When to retry a request that a limit refused; at least 1 s. */
  Duration retryAfter();

  /** Reports the number of open connections; called whenever it changes. */
  void connections(int open);

  Health health();

  /** Counts a response in {@code request_latency} and {@code error_counts}. */
  void answered(Right right, int status, Duration took);

  /** The metrics in Prometheus' text format. */
  String metrics();

  /** The implementation behind the container's proxy. */
  default RendezvousService plain() {
    return this;
  }

  enum Health {
    HEALTHY,
    OVERLOADED,
    STOPPING
  }
}
