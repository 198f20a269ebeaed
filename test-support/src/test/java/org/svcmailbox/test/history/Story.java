package org.svcmailbox.test.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Recv;
import org.svcmailbox.test.history.Event.Send;
import org.svcmailbox.test.history.Event.Settle;
import org.svcmailbox.test.history.Event.ShardPlace;
import org.svcmailbox.test.history.Event.Verb;

/**
 * A history written by hand: one topic, times in milliseconds, every call one millisecond long
 * unless it says otherwise. The hash of a message's payload is its key with {@code #} before it.
 */
final class Story {
  static final String TOPIC = "t";
  static final Duration VISIBILITY = Duration.ofSeconds(1);

  private final List<Event> events = new ArrayList<>();
  private final List<CallSpan> crashes = new ArrayList<>();
  private final List<CallSpan> losses = new ArrayList<>();

  static CallSpan at(long from, long to) {
    return new CallSpan(from * 1_000_000, to * 1_000_000);
  }

  static CallSpan at(long from) {
    return at(from, from + 1);
  }

  static String hash(String key) {
    return "#" + key;
  }

  static Handed handed(String id, String key, int attempt, String receipt) {
    return new Handed(id, key, hash(key), attempt, receipt, null);
  }

  Story sent(long from, String key, String id) {
    return send(at(from), key, CallOutcome.OK, new Accepted(id, false));
  }

  Story sentAgain(long from, String key, String id) {
    return sentAgain(at(from), key, id);
  }

  Story sentAgain(CallSpan span, String key, String id) {
    return send(span, key, CallOutcome.OK, new Accepted(id, true));
  }

  Story sendUnknown(long from, String key) {
    return send(at(from), key, CallOutcome.UNKNOWN, null);
  }

  Story sendRefused(long from, String key) {
    return send(at(from), key, CallOutcome.FAIL, null);
  }

  Story received(long from, String id, String key, int attempt, String receipt) {
    return received(at(from), handed(id, key, attempt, receipt));
  }

  /** A first delivery of a message that is called like its key. */
  Story receivedInPlace(long from, String id, long seq) {
    ShardPlace place = new ShardPlace(0, seq);
    return received(at(from), new Handed(id, id, hash(id), 1, "r" + id, place));
  }

  Story received(CallSpan span, Handed handed) {
    return add(new Recv(span, CallOutcome.OK, TOPIC, VISIBILITY, List.of(handed)));
  }

  Story recvUnknown(CallSpan span) {
    return add(new Recv(span, CallOutcome.UNKNOWN, TOPIC, VISIBILITY, List.of()));
  }

  Story acked(long from, String id, String receipt) {
    return settle(at(from), CallOutcome.OK, Verb.ACK, id, receipt);
  }

  Story ackUnknown(long from, String id, String receipt) {
    return settle(at(from), CallOutcome.UNKNOWN, Verb.ACK, id, receipt);
  }

  Story nacked(long from, String id, String receipt) {
    return settle(at(from), CallOutcome.OK, Verb.NACK, id, receipt);
  }

  Story extended(long from, String id, String receipt) {
    return settle(at(from), CallOutcome.OK, Verb.EXTEND, id, receipt);
  }

  Story crashed(long from, long to) {
    crashes.add(at(from, to));
    return this;
  }

  Story lostLeases(long from, long to) {
    losses.add(at(from, to));
    return this;
  }

  History end() {
    return new History(events, crashes, losses);
  }

  private Story send(CallSpan span, String key, CallOutcome outcome, @Nullable Accepted accepted) {
    return add(new Send(span, outcome, new MessageKey(TOPIC, key), hash(key), accepted));
  }

  private Story settle(CallSpan span, CallOutcome outcome, Verb verb, String id, String receipt) {
    Duration visibility = verb == Verb.EXTEND ? VISIBILITY : Duration.ZERO;
    return add(new Settle(span, outcome, verb, id, receipt, visibility));
  }

  private Story add(Event event) {
    events.add(event);
    return this;
  }
}
