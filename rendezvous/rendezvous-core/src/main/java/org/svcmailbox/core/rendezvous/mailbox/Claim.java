package org.svcmailbox.core.rendezvous.mailbox;

import org.svcmailbox.core.rendezvous.GetOutcome.Revoked;

/** A message reserved for a GET. Made under the stripe's lock, carried out without it. */
record Claim(WaitingGet get, Delivery delivery) {
  /** Revalidates a GET that has waited, then hands the message over. */
  void carryOut() {
    if (delivery.hasWaited && !get.isValid()) {
      delivery.putBack();
      get.end(new Revoked());
    } else {
      get.end(delivery);
    }
  }
}
