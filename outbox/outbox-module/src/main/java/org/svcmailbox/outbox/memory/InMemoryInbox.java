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

  private record Key(String consumer, MessageId id) {}

  private Map<Key, InboxMessage> messages = new HashMap<>();
  private Map<Key, DeadLetter> letters = new HashMap<>();

  /**
   * An empty inbox.
   *
   * @param outbox takes the events of committed transactions
   */
  public InMemoryInbox(MailboxClock clock, Outbox outbox) {
    this.clock = clock;
    this.outbox = outbox;
  }

  /** The current state of a consumer's message. */
  public Optional<InboxMessage> find(String consumer, MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(messages.get(new Key(consumer, id)));
    } finally {
      lock.unlock();
    }
  }

  /** The current state of a consumer's dead letter. */
  public Optional<DeadLetter> deadLetter(String consumer, MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(letters.get(new Key(consumer, id)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public InboxTransaction begin(String consumer) {
    lock.lock();
    return new Transaction(consumer);
  }

  private final class Transaction implements InboxTransaction, InboxRepository, DeadLetters {
    private final String consumer;
    private final Map<Key, InboxMessage> changed = new HashMap<>(messages);
    private final Map<Key, DeadLetter> changedLetters = new HashMap<>(letters);
    private final List<NewEvent> events = new ArrayList<>();

    Transaction(String consumer) {
      this.consumer = consumer;
    }

    private Key key(MessageId id) {
      return new Key(consumer, id);
    }

    @Override
    public InboxRepository messages() {
      return this;
    }

    @Override
    public Optional<InboxMessage> message(MessageId id) {
      return Optional.ofNullable(changed.get(key(id)));
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
      InboxMessage known = changed.get(key(id));
      if (known != null && known.processedAt() != null) {
        return Insertion.PROCESSED;
      }
      changed.put(key(id), attempted(known == null ? message : known, message.receivedAt()));
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
      InboxMessage message = changed.get(key(id));
      if (message == null || message.receivedAt().isAfter(clock.now())) {
        throw new OutboxException(
            ErrorCode.INVALID_TIMESTAMP, "message " + id + " was not received yet");
      }
      changed.put(
          key(id),
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
          key(id),
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
      return Optional.ofNullable(changedLetters.get(key(id)));
    }

    @Override
    public void put(DeadLetter letter) {
      changedLetters.put(key(letter.messageId()), letter);
    }

    @Override
    public void routed(MessageId id) {
      changedLetters.computeIfPresent(key(id), (key, letter) -> routed(letter));
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
