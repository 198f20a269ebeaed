package org.svcmailbox.core.worker;

import java.util.List;
import org.svcmailbox.core.delivery.Refusal;

/** Leases whose messages no client got. */
record GiveBack(List<Lease> leases) implements Command {
  @Override
  public void refuse(Refusal refusal) {
    // There is no reply to give, and a worker without a session has no leases.
  }
}
