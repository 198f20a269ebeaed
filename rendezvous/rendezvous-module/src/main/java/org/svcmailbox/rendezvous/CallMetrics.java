package org.svcmailbox.rendezvous;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.Right;

/** Records one call in the metrics, once, with its response. */
final class CallMetrics {
  private final RendezvousService service;
  private final Right right;
  private final long began = System.nanoTime();
  private final AtomicBoolean isMade = new AtomicBoolean();

  CallMetrics(RendezvousService service, Right right) {
    this.service = service;
    this.right = right;
  }

  void answered(int status) {
    if (isMade.compareAndSet(false, true)) {
      service.answered(right, status, Duration.ofNanos(System.nanoTime() - began));
    }
  }
}
