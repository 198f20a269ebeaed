package org.svcmailbox.outbox.memory;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.publish.OutboxStore;
import org.svcmailbox.outbox.publish.OutboxStoreContract;

class InMemoryOutboxTest extends OutboxStoreContract {
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);

  @Override
  protected OutboxStore store() {
    return outbox;
  }

  @Override
  protected void record(List<NewEvent> events) {
    events.forEach(outbox::record);
  }

  @Override
  protected Optional<OutboxEvent> find(MessageId id) {
    return outbox.find(id);
  }
}
