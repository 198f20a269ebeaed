package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;

/** The mailbox in its most obvious form: one list of messages, no batches. */
final class NaiveMailbox {
  enum State {
    READY,
    LEASED,
    GONE,
    DEAD
  }

  static final class Message {
    final MsgId id;
    State state = State.READY;

    /** Earliest and latest delivery; they differ after a commit in doubt. */
    long earliest;

    long due;
    int attempt = 1;
    long deadline;
    long until;
    @Nullable Receipt receipt;
    boolean ranOut;

    /** Dead-lettered by its holder. */
    boolean isRejected;

    /** Ready since an earlier step, so it must be delivered before later messages. */
    boolean atItsPlace;

    Message(MsgId id, long earliest, long due) {
      this.id = id;
      readyAt(earliest, due);
    }

    void readyAt(long from, long by) {
      atItsPlace = false;
      earliest = from;
      due = by;
    }

    boolean isReady(long now) {
      return state == State.READY && due - now <= 0;
    }
  }

  /** The longest delay in a program. */
  static final Duration LONGEST_DELAY = Duration.ofMillis(500);

  private final int maxAttempts;
  private final Duration longestLease;
  private final Set<MsgId> ids = new HashSet<>();
  private final Map<String, Message> byKey = new HashMap<>();
  private final Map<String, String> payloads = new HashMap<>();
  final Map<MsgId, Message> messages = new LinkedHashMap<>();

  NaiveMailbox(int maxAttempts, Duration longestLease) {
    this.maxAttempts = maxAttempts;
    this.longestLease = longestLease;
  }

  void sent(String key, String payload, SendOutcome outcome, long earliest, long due) {
    Message holder = byKey.get(key);
    if (outcome instanceof SendOutcome.KeyConflict conflict) {
      assertTrue(!payload.equals(payloads.get(key)), "a conflict without cause");
      assertEquals(requireNonNull(holder, "no holder").id, conflict.holder());
      return;
    }
    SendOutcome.Accepted accepted = (SendOutcome.Accepted) outcome;
    assertEquals(holder != null, accepted.duplicate(), "duplicate");
    if (holder != null) {
      assertEquals(holder.id, accepted.msgId());
      assertEquals(payloads.get(key), payload, "a conflict went unnoticed");
      return;
    }
    adopt(key, payload, new Message(accepted.msgId(), earliest, due));
  }

  void adopt(String key, String payload, Message message) {
    assertTrue(ids.add(message.id), "an id was used twice");
    messages.put(message.id, message);
    byKey.put(key, message);
    payloads.put(key, payload);
  }

  /** Checks a delivery: the message is ready, not held, and next in order. */
  void delivered(
      RecvOutcome.LeasedMessage leased, Duration visibility, long now, Map<MsgId, Envelope> all) {
    Envelope envelope = leased.message().envelope();
    Message message = requireNonNull(messages.get(envelope.msgId()), "an invented message");
    boolean may = message.state == State.READY && message.earliest - now <= 0;
    assertTrue(may, "delivered while " + message.state + " " + message.id);
    assertEquals(message.attempt, envelope.attempt(), "attempt of " + message.id);
    for (Message other : messages.values()) {
      Envelope seen = all.get(other.id);
      assertTrue(
          !other.atItsPlace
              || seen == null
              || seen.shard() != envelope.shard()
              || seen.seq() >= envelope.seq(),
          "out of turn: " + envelope.seq() + " before " + (seen == null ? 0 : seen.seq()));
    }
    message.state = State.LEASED;
    message.atItsPlace = false;
    message.receipt = leased.receipt();
    message.deadline = now + visibility.toNanos();
    message.until = now + longestLease.toNanos();
    message.ranOut = false;
  }

  void givenBack(Message message) {
    message.state = State.READY;
  }

  void acked(Message message) {
    message.state = State.GONE;
    message.atItsPlace = false;
  }

  void rejected(Message message) {
    message.state = State.DEAD;
    message.isRejected = true;
    message.atItsPlace = false;
  }

  void failed(Message message, long due) {
    message.state = message.attempt >= maxAttempts ? State.DEAD : State.READY;
    message.attempt += message.state == State.READY ? 1 : 0;
    message.readyAt(due, due);
  }

  void tick(long now) {
    for (Message message : messages.values()) {
      if (message.state == State.LEASED && message.deadline - now <= 0) {
        failed(message, now);
        message.ranOut = true;
      }
    }
  }

  /** Ends all leases without spending an attempt. */
  void crash(long now) {
    for (Message message : messages.values()) {
      if (message.state == State.LEASED) {
        message.state = State.READY;
        message.readyAt(now, now);
        message.ranOut = true;
      }
    }
  }

  /** Adopts the outcome of a commit in doubt; every lease is lost. */
  void reconcile(Map<MsgId, Envelope> all, Set<MsgId> dead, Set<MsgId> asked, long now) {
    learn(all, dead, asked, now);
    crash(now);
  }

  /** Adopts what is there: it must be one of two states. */
  void learn(Map<MsgId, Envelope> all, Set<MsgId> dead, Set<MsgId> asked, long now) {
    for (Message message : messages.values()) {
      if (message.state == State.GONE || message.state == State.DEAD) {
        continue;
      }
      Envelope seen = all.get(message.id);
      if (seen != null) {
        boolean same = seen.attempt() == message.attempt;
        assertTrue(same || seen.attempt() == message.attempt + 1, "attempt of " + message.id);
        if (!same) {
          message.attempt = seen.attempt();
          message.state = State.READY;
          message.ranOut = true;
          message.readyAt(now, now + LONGEST_DELAY.toNanos());
        }
      } else if (dead.contains(message.id)) {
        boolean isDue = message.attempt == maxAttempts || asked.contains(message.id);
        assertTrue(isDue, "quarantined early");
        message.state = State.DEAD;
        message.atItsPlace = false;
      } else {
        assertTrue(asked.contains(message.id), "lost " + message.id);
        acked(message);
      }
    }
  }

  /** Ends a step. */
  void settle(long now) {
    messages.values().stream()
        .filter(message -> message.isReady(now))
        .forEach(message -> message.atItsPlace = true);
  }

  /** Forgets most finished messages. */
  void forgetOld() {
    int over = messages.size() - 200;
    if (over > 100) {
      List<MsgId> old =
          messages.values().stream()
              .filter(message -> message.state == State.GONE)
              .limit(over)
              .map(message -> message.id)
              .toList();
      old.forEach(messages::remove);
    }
  }

  /** Every message ever accepted. */
  Set<MsgId> accepted() {
    return ids;
  }

  Set<MsgId> in(State... states) {
    Set<MsgId> found = new HashSet<>();
    for (Message message : messages.values()) {
      if (List.of(states).contains(message.state)) {
        found.add(message.id);
      }
    }
    return found;
  }

  List<Message> all() {
    return new ArrayList<>(messages.values());
  }
}
