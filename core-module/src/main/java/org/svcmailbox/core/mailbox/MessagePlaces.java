package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.QueuedMessage;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.lookup.Fact;
import org.svcmailbox.core.lookup.LedgerPlace;
import org.svcmailbox.core.lookup.LedgerSearch;
import org.svcmailbox.core.lookup.Look;
import org.svcmailbox.core.lookup.MessageSearch;
import org.svcmailbox.core.lookup.Sighting;
import org.svcmailbox.core.lookup.Whereabouts;
import org.svcmailbox.core.lookup.WorkerLook;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/** The places of one message, for one search within its time. */
final class MessagePlaces implements MessageSearch.Places {
  /** The parts of the mailbox that are searched. */
  record Sources(
      TopicDirectory topics,
      WorkerPool workers,
      Broker broker,
      SendRegistry registry,
      StoredLedgers ledgers,
      DeadLetters letters) {}

  /** A shard that has or had a queue, and its ledger. */
  record Shard(Topic topic, ShardId id) {
    LedgerId ledger() {
      return new LedgerId(topic.id(), id.index());
    }

    boolean hasQueue() {
      return id.index() < topic.state().liveShards();
    }
  }

  private final Sources sources;
  private final List<Shard> shards;
  private final MsgId msgId;
  private final Predicate<TopicName> isVisible;
  private final Ticker ticker;
  private final long until;
  private @Nullable Fact acked;
  private @Nullable TopicName ackedIn;

  /**
   * @param shards those that can have messages with such an id
   * @param isVisible the topics whose messages may be seen
   */
  MessagePlaces(
      Sources sources,
      List<Shard> shards,
      MsgId msgId,
      Predicate<TopicName> isVisible,
      Ticker ticker,
      Duration patience) {
    this.sources = sources;
    this.shards = shards;
    this.msgId = msgId;
    this.isVisible = isVisible;
    this.ticker = ticker;
    this.until = ticker.nanos() + patience.toNanos();
  }

  /** That a worker remembers an acknowledgement of the message; null if it does not. */
  @Nullable Fact acked() {
    return acked;
  }

  /** The topic of such a message; null likewise. */
  @Nullable TopicName ackedIn() {
    return ackedIn;
  }

  @Override
  public boolean isOver() {
    return left() <= 0;
  }

  private long left() {
    return until - ticker.nanos();
  }

  @Override
  public Look<Sighting> held() {
    List<ShardId> ids = shards.stream().map(Shard::id).toList();
    WorkerLook look =
        WorkerReplies.await(
            sources.workers().admin(msgId, admin -> admin.look(msgId, ids)),
            Duration.ofNanos(left()));
    TopicName topic = look.ackedIn();
    ackedIn = topic != null && isVisible.test(topic) ? topic : null;
    acked = ackedIn == null ? null : look.acked();
    Sighting seen = look.seen();
    return Look.of(seen != null && isVisible.test(seen.topic()) ? seen : null);
  }

  @Override
  public Look<Sighting> letters() {
    boolean isWhole = true;
    for (DeadLetter letter : sources.letters().find(msgId)) {
      if (isVisible.test(letter.topic())) {
        Optional<LetterContent> content = sources.letters().content(letter);
        if (content.isPresent()) {
          return Look.of(dead(content.get()));
        }
        // It was redriven or discarded just now, or a job holds it.
        isWhole = false;
      }
    }
    return new Look<>(null, isWhole);
  }

  private static Sighting dead(LetterContent content) {
    DeadLetter letter = content.letter();
    String error = letter.lastError();
    String note = letter.reason().text() + (error.isEmpty() ? "" : ": " + error);
    return new Sighting(
        Whereabouts.DEAD,
        letter.topic(),
        letter.envelope(),
        content.history(),
        null,
        Fact.recorded(Fact.Kind.DEAD, letter.deadAt(), letter.attempt(), note));
  }

  @Override
  public Look<Sighting> queues() {
    boolean isWhole = true;
    for (Shard shard : shards) {
      if (isOver()) {
        return Look.partial();
      }
      if (shard.hasQueue()) {
        Broker.Searched searched = sources.broker().search(shard.id(), msgId);
        QueuedMessage seen = searched.seen();
        if (seen != null) {
          return Look.of(queued(shard, seen));
        }
        isWhole &= searched.isWhole();
      }
    }
    return new Look<>(null, isWhole && !sources.broker().hasUndeliverable());
  }

  private static Sighting queued(Shard shard, QueuedMessage seen) {
    Envelope envelope = seen.envelope();
    Integer attempt = envelope == null ? null : (Integer) envelope.attempt();
    String error = seen.lastError() == null ? "" : seen.lastError();
    Fact.Kind kind = seen.isScheduled() ? Fact.Kind.SCHEDULED : Fact.Kind.READY;
    return new Sighting(
        seen.isScheduled() ? Whereabouts.SCHEDULED : Whereabouts.READY,
        shard.topic().name(),
        envelope,
        seen.history(),
        seen.isScheduled() ? seen.since() : null,
        new Fact(kind, seen.since(), true, attempt, null, error));
  }

  @Override
  public Look<LedgerPlace> ledgers(@Nullable Sighting seen) {
    Envelope envelope = seen == null ? null : seen.envelope();
    boolean isWhole = true;
    for (Shard shard : shards) {
      if (isOver()) {
        return Look.partial();
      }
      if (envelope == null || isShardOf(envelope, shard)) {
        Look<LedgerEntry> found =
            envelope == null ? search(shard) : Look.of(entry(shard, envelope.seq()));
        if (found.seen() != null) {
          return Look.of(new LedgerPlace(shard.id(), found.seen().seq()));
        }
        isWhole &= found.isWhole();
      }
    }
    return new Look<>(null, isWhole);
  }

  private static boolean isShardOf(Envelope envelope, Shard shard) {
    return shard.id().equals(new ShardId(envelope.topic(), envelope.shard()));
  }

  private @Nullable LedgerEntry entry(Shard shard, long seq) {
    return sources.ledgers().entries(shard.ledger(), seq, 1).stream()
        .filter(entry -> entry.msgId().equals(msgId))
        .findFirst()
        .orElse(null);
  }

  private Look<LedgerEntry> search(Shard shard) {
    StoredLedgers ledgers = sources.ledgers();
    LedgerId ledger = shard.ledger();
    LedgerHead head = ledgers.head(ledger);
    return head.seq() == 0
        ? Look.of(null)
        : LedgerSearch.find(
            (from, limit) -> ledgers.entries(ledger, from, limit),
            ledgers.start(ledger).seq() + 1,
            head.seq(),
            msgId,
            this::isOver);
  }
}
