package org.svcmailbox.test.history;

import java.time.Duration;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Recv;

/** One message in one answered RECV. */
record RecordedDelivery(Recv recv, Handed handed) {
  CallSpan span() {
    return recv.span();
  }

  String msgId() {
    return handed.msgId();
  }

  int attempt() {
    return handed.attempt();
  }

  Duration visibility() {
    return recv.visibility();
  }

  MessageKey key() {
    return new MessageKey(recv.topic(), handed.idemKey());
  }

  @Override
  public String toString() {
    return "attempt " + attempt() + " " + span();
  }
}
