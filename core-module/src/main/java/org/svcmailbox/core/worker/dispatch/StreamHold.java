package org.svcmailbox.core.worker.dispatch;

import java.util.List;
import java.util.function.Consumer;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.Lease;

/** A lease as a stream sees it, from any thread. */
record StreamHold(Lease lease, Consumer<List<Lease>> takeBack) implements StreamWindow.Held {
  @Override
  public MsgId msgId() {
    return lease.msgId();
  }

  @Override
  public Receipt receipt() {
    return lease.receipt();
  }

  @Override
  public int size() {
    return lease.size();
  }

  @Override
  public void giveBack() {
    takeBack.accept(List.of(lease));
  }
}
