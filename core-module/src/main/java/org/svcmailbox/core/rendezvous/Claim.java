package org.svcmailbox.core.rendezvous;

import org.svcmailbox.core.rendezvous.GetOutcome.Revoked;

/** A message that a GET is to have. Made under the stripe's lock, carried out without it. */
record Claim(WaitingGet get, Delivery delivery) {
  /** Judges the GET again, unless it has not waited, and hands the message over. */
  void carryOut() {
    if (delivery.hasWaited && !get.isValid()) {
      delivery.putBack();
      get.end(new Revoked());
    } else {
      get.end(delivery);
    }
  }
}
