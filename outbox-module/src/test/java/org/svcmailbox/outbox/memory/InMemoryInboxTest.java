package org.svcmailbox.outbox.memory;

import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxStoreContract;

class InMemoryInboxTest extends InboxStoreContract {
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
  private final InMemoryInbox inbox = new InMemoryInbox(clock, outbox);

  @Override
  protected InboxStore store() {
    return inbox;
  }

  @Override
  protected Optional<InboxMessage> find(MessageId id) {
    return inbox.find(id);
  }

  @Override
  protected boolean isRecorded(MessageId id) {
    return outbox.find(id).isPresent();
  }
}
