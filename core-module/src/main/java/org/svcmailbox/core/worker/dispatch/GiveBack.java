package org.svcmailbox.core.worker.dispatch;

import java.util.List;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Lease;

/** Takes back leases whose messages no client got. */
public record GiveBack(List<Lease> leases) implements Command {
  @Override
  public void refuse(Refusal refusal) {
    // There is no reply, and a worker without a session has no leases.
  }

  @Override
  public boolean isAnswered() {
    return true;
  }
}
