package org.svcmailbox.core.rendezvous.mailbox;

import org.svcmailbox.core.rendezvous.GetOutcome.Revoked;

/** A message reserved for a GET. It is made under the stripe's lock and carried out without it. */
record Claim(WaitingGet get, Delivery delivery) {
  /** Checks again that a GET which has waited is admitted, then hands the message over. */
  void carryOut() {
    if (delivery.hasWaited && !get.isValid()) {
      delivery.putBack();
      get.end(new Revoked());
    } else {
      get.end(delivery);
    }
  }
}
