package org.svcmailbox.outbox.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.DeadLetters;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxRepository;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.inbox.Insertion;

/** An inbox in memory. One transaction at a time. Thread-safe, unbounded, not durable. */
public final class InMemoryInbox implements InboxStore {
  private final MailboxClock clock;
  private final Outbox outbox;
  private final ReentrantLock lock = new ReentrantLock();
  private Map<MessageId, InboxMessage> messages = new HashMap<>();
  private Map<MessageId, DeadLetter> letters = new HashMap<>();

  /**
   * An empty inbox.
   *
   * @param outbox takes the events of committed transactions
   */
  public InMemoryInbox(MailboxClock clock, Outbox outbox) {
    this.clock = clock;
    this.outbox = outbox;
  }

  /** A message as it is now. */
  public Optional<InboxMessage> find(MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(messages.get(id));
    } finally {
      lock.unlock();
    }
  }

  /** A dead letter as it is now. */
  public Optional<DeadLetter> deadLetter(MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(letters.get(id));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public InboxTransaction begin() {
    lock.lock();
    return new Transaction();
  }

  private final class Transaction implements InboxTransaction, InboxRepository, DeadLetters {
    private final Map<MessageId, InboxMessage> changed = new HashMap<>(messages);
    private final Map<MessageId, DeadLetter> changedLetters = new HashMap<>(letters);
    private final List<NewEvent> events = new ArrayList<>();

    @Override
    public InboxRepository messages() {
      return this;
    }

    @Override
    public Optional<InboxMessage> message(MessageId id) {
      return Optional.ofNullable(changed.get(id));
    }

    @Override
    public DeadLetters deadLetters() {
      return this;
    }

    @Override
    public Outbox outbox() {
      return event -> {
        events.add(event);
        return event.id();
      };
    }

    @Override
    public Insertion insert(InboxMessage message) {
      MessageId id = new MessageId(message.messageId());
      InboxMessage known = changed.get(id);
      if (known != null && known.processedAt() != null) {
        return Insertion.PROCESSED;
      }
      changed.put(id, attempted(known == null ? message : known, message.receivedAt()));
      return known == null ? Insertion.NEW : Insertion.UNFINISHED;
    }

    private static InboxMessage attempted(InboxMessage message, Instant receivedAt) {
      return new InboxMessage(
          message.messageId(),
          message.subject(),
          receivedAt.isBefore(message.receivedAt()) ? receivedAt : message.receivedAt(),
          null,
          message.attempts() + 1,
          message.lastError());
    }

    @Override
    public void markProcessed(MessageId id) {
      InboxMessage message = changed.get(id);
      if (message == null || message.receivedAt().isAfter(clock.now())) {
        throw new OutboxException(
            ErrorCode.INVALID_TIMESTAMP, "message " + id + " was not received yet");
      }
      changed.put(
          id,
          new InboxMessage(
              message.messageId(),
              message.subject(),
              message.receivedAt(),
              clock.now(),
              message.attempts(),
              message.lastError()));
    }

    @Override
    public void recordError(MessageId id, String error) {
      changed.computeIfPresent(
          id,
          (key, message) ->
              new InboxMessage(
                  message.messageId(),
                  message.subject(),
                  message.receivedAt(),
                  message.processedAt(),
                  message.attempts(),
                  error));
    }

    @Override
    public Optional<DeadLetter> find(MessageId id) {
      return Optional.ofNullable(changedLetters.get(id));
    }

    @Override
    public void put(DeadLetter letter) {
      changedLetters.put(letter.messageId(), letter);
    }

    @Override
    public void routed(MessageId id) {
      changedLetters.computeIfPresent(id, (key, letter) -> routed(letter));
    }

    private @Nullable DeadLetter routed(DeadLetter letter) {
      return new DeadLetter(
          letter.messageId(),
          letter.msgId(),
          letter.originalSubject(),
          letter.reason(),
          letter.attempts(),
          letter.deadAt(),
          clock.now());
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new IllegalArgumentException("a transaction in memory runs on no " + type);
    }

    @Override
    public void commit() {
      messages = changed;
      letters = changedLetters;
      events.forEach(outbox::record);
    }

    @Override
    public void close() {
      lock.unlock();
    }
  }
}
