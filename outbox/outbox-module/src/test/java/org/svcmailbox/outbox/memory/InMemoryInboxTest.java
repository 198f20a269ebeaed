package org.svcmailbox.outbox.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.inbox.InboxCommandsContract;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;

class InMemoryInboxTest extends InboxCommandsContract {
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
  private final List<NewEvent> recorded = new ArrayList<>();
  private final InMemoryInbox inbox =
      new InMemoryInbox(
          clock,
          event -> {
            recorded.add(event);
            return outbox.record(event);
          });

  @Override
  protected InboxStore store() {
    return inbox;
  }

  @Override
  protected Optional<InboxMessage> find(MessageId id) {
    return inbox.find(CONSUMER, id);
  }

  @Override
  protected int countFollowing(MessageId cause) {
    return (int)
        recorded.stream()
            .filter(event -> cause.value().equals(event.correlation().causationId()))
            .count();
  }

  @Override
  protected boolean isRecorded(MessageId id) {
    return outbox.find(id).isPresent();
  }
}
