package org.svcmailbox.core.worker.send;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.bounds.KeyShares;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.settings.TopicRetention;

/**
 * The plan for a batch of SENDs: new messages, duplicates and refusals. Pure: the same input gives
 * the same plan, and nothing is counted.
 */
final class SendPlan {
  /** A new SEND with its place in the ledger. */
  record Placed(Send send, Row row) {}

  /** A rough count of the messages that this batch adds to a topic. */
  private record Planned(long messages, long bytes) {
    static final Planned NOTHING = new Planned(0, 0);

    Planned and(Send send) {
      return new Planned(messages + 1, bytes + send.size() + Limits.MESSAGE_OVERHEAD);
    }
  }

  private final Instant now;
  private final Map<IdempotencyKey, Taken> taken;
  private final Limits limits;
  private final Function<LedgerId, LedgerHead> headOf;
  private final Map<IdempotencyKey, Reservation> inThisBatch = new HashMap<>();
  private final Map<IdempotencyKey, Reservation> released = new HashMap<>();
  private final Map<LedgerId, LedgerHead> heads = new HashMap<>();
  private final List<Placed> accepted = new ArrayList<>();
  private final List<SendOutcome> outcomes = new ArrayList<>();
  private final Map<TopicName, Planned> planned = new HashMap<>();
  private final Map<TopicName, Long> ofTopics = new HashMap<>();
  private final Map<CapabilityId, Long> ofSenders = new HashMap<>();
  private long added;
  private @Nullable BatchPages pages;

  private SendPlan(
      Instant now,
      Map<IdempotencyKey, Taken> taken,
      Limits limits,
      Function<LedgerId, LedgerHead> headOf) {
    this.now = now;
    this.taken = taken;
    this.limits = limits;
    this.headOf = headOf;
  }

  /**
   * Plans a batch.
   *
   * @param taken the states of the batch's keys that are taken, including expired ones
   * @param limits how many keys are in the table and how many messages each topic has; only read
   * @param headOf the head of a shard's ledger before this batch
   */
  static SendPlan of(
      List<Send> sends,
      Instant now,
      Map<IdempotencyKey, Taken> taken,
      Limits limits,
      Function<LedgerId, LedgerHead> headOf) {
    SendPlan plan = new SendPlan(now, taken, limits, headOf);
    sends.forEach(send -> plan.outcomes.add(plan.decide(send)));
    return plan;
  }

  /** The outcomes, in the order of the SENDs. */
  List<SendOutcome> outcomes() {
    return outcomes;
  }

  List<Placed> accepted() {
    return accepted;
  }

  BatchPages pages() {
    if (pages == null) {
      pages = BatchPages.of(accepted.stream().map(Placed::row).toList());
    }
    return pages;
  }

  Instant now() {
    return now;
  }

  long newKeys() {
    return added;
  }

  /** Keys held by dead letters of this batch, which pass to their new messages. */
  Map<IdempotencyKey, Reservation> released() {
    return released;
  }

  private SendOutcome decide(Send send) {
    Reservation here = inThisBatch.get(send.key());
    if (here != null) {
      return repeated(send, here);
    }
    Taken before = taken.get(send.key());
    if (before instanceof Taken.Confirmed first) {
      return send.ends(first.reservation().msgId())
          ? accept(send, first.reservation(), true)
          : repeated(send, first.reservation());
    }
    if (before instanceof Taken.Unconfirmed) {
      return refused("being_confirmed", "the first SEND with this key is under way");
    }
    if (before instanceof Taken.Unreadable) {
      return refused("database_away", "whether this key was sent before is in the database");
    }
    return accept(send, null, before instanceof Taken.Expired);
  }

  private static SendOutcome repeated(Send send, Reservation first) {
    return first.payloadHash().equals(send.envelope().payloadHash())
        ? new SendOutcome.Accepted(first.msgId(), true)
        : new SendOutcome.KeyConflict(first.msgId());
  }

  private static SendOutcome refused(String reason, String detail) {
    return Refusal.unavailable(reason, detail, Duration.ofSeconds(1));
  }

  private SendOutcome accept(Send send, @Nullable Reservation letter, boolean replaces) {
    Refusal noKey = replaces ? null : keyRefusal(send);
    if (noKey != null) {
      return noKey;
    }
    Refusal noRoom = topicRefusal(send);
    if (noRoom != null) {
      return noRoom;
    }
    added += replaces ? 0 : 1;
    ofTopics.merge(send.topic().name(), 1L, Long::sum);
    if (send.sender() != null) {
      ofSenders.merge(send.sender(), 1L, Long::sum);
    }
    LedgerEntry entry = appendTo(send);
    Reservation reservation = reservation(send, letter);
    inThisBatch.put(send.key(), reservation);
    if (letter != null) {
      released.put(send.key(), letter);
    }
    accepted.add(
        new Placed(
            send,
            new Row(send.key(), reservation, send.topic().id(), send.shard().index(), entry)));
    return new SendOutcome.Accepted(send.envelope().msgId(), false);
  }

  /** Why the table of keys, or a share of it, has no room for the key; null if it has. */
  private @Nullable Refusal keyRefusal(Send send) {
    TopicName topic = send.topic().name();
    CapabilityId sender = send.sender();
    long ofSender = sender == null ? 0 : ofSenders.getOrDefault(sender, 0L);
    return limits
        .keys()
        .refusal(
            topic,
            sender,
            new KeyShares.PlannedKeys(added, ofTopics.getOrDefault(topic, 0L), ofSender));
  }

  /**
   * Makes the window end later than the dead letter's, so that a start can tell which reservation
   * counts.
   */
  private Reservation reservation(Send send, @Nullable Reservation letter) {
    Envelope envelope = send.envelope();
    Instant end = now.plus(send.topic().settings().tReplay());
    if (letter != null && !end.isAfter(letter.expiresAt())) {
      end = letter.expiresAt().plusMillis(1);
    }
    return new Reservation(envelope.msgId(), envelope.payloadHash(), end);
  }

  /** Why the topic has no room for a message; null if it has, and then the message is counted. */
  private @Nullable Refusal topicRefusal(Send send) {
    TopicName topic = send.topic().name();
    TopicCounters counters = limits.topics().of(topic);
    TopicRetention retention = send.topic().settings().retention();
    Planned here = planned.getOrDefault(topic, Planned.NOTHING);
    if (counters.messages().isFull(retention.readyCount(), here.messages())) {
      return counters.messages().refusal();
    }
    if (counters.bytes().isFull(retention.mostReadyBytes(), here.bytes())) {
      return counters.bytes().refusal();
    }
    Planned with = here.and(send);
    Refusal noDisk = diskRefusal(send, counters.bytes().count() + here.bytes());
    if (noDisk == null) {
      planned.put(topic, with);
    }
    return noDisk;
  }

  /** A message of no client, such as a redriven dead letter, is accepted below the reserve too. */
  private @Nullable Refusal diskRefusal(Send send, long ofTopic) {
    return send.sender() == null
        ? null
        : limits.diskShareRefusal(ofTopic, send.size() + Limits.MESSAGE_OVERHEAD);
  }

  private LedgerEntry appendTo(Send send) {
    LedgerId ledger = new LedgerId(send.topic().id(), send.shard().index());
    LedgerHead head = heads.computeIfAbsent(ledger, headOf);
    LedgerEntry entry = head.append(send.envelope().msgId(), send.envelope().hashChain());
    heads.put(ledger, LedgerHead.after(entry));
    return entry;
  }
}
