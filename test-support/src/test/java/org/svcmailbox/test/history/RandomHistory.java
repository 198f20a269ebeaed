package org.svcmailbox.test.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
 * A random history of an honest mailbox: an obvious model in virtual time, whose clients lose
 * answers, come late, repeat themselves, and see the server die. One millisecond is the grain.
 */
final class RandomHistory {
  static final Map<String, Integer> MAX_ATTEMPTS = Map.of("many", 50, "few", 3);

  private static final int LATENCY = 20;
  private static final List<Verb> VERBS = List.of(Verb.values());
  private static final Comparator<MessageKey> KEY_ORDER =
      Comparator.comparing(MessageKey::topic).thenComparing(MessageKey::idemKey);

  private final Random random;
  private final List<Message> messages = new ArrayList<>();
  private final Map<MessageKey, Message> byKey = new HashMap<>();
  private final List<Known> known = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<CallSpan> crashes = new ArrayList<>();
  private long now = 1000;
  private int names;

  RandomHistory(long seed) {
    random = new Random(seed);
  }

  private static final class Message {
    final String id;
    final MessageKey key;
    @Nullable ShardPlace place;
    int attempt = 1;
    boolean acked;
    boolean dead;
    @Nullable String holder;
    @Nullable String lastReceipt;
    long leaseEnd;
    long visibleAt;

    Message(String id, MessageKey key) {
      this.id = id;
      this.key = key;
    }

    boolean isGone() {
      return acked || dead;
    }
  }

  /** A delivery whose answer a client has, from {@code since} on. */
  private record Known(Message message, String receipt, long since) {}

  /** Lets so many things happen, and returns what the clients saw. */
  History run(int steps) {
    for (int i = 0; i < steps; i++) {
      now += 1 + random.nextInt(15);
      messages.forEach(this::expire);
      step();
    }
    return new History(events, crashes, List.of());
  }

  /** The end of every topic with its dead letters by name. */
  List<TopicEnd> ends() {
    return MAX_ATTEMPTS.keySet().stream()
        .map(topic -> end(topic, ids(topic, message -> message.dead), 0))
        .toList();
  }

  /** The end of every topic with its dead letters counted. */
  List<TopicEnd> countedEnds() {
    return MAX_ATTEMPTS.keySet().stream()
        .map(topic -> end(topic, Set.of(), ids(topic, message -> message.dead).size()))
        .toList();
  }

  private TopicEnd end(String topic, Set<String> dead, long deadUnnamed) {
    int most = MAX_ATTEMPTS.getOrDefault(topic, 0);
    return new TopicEnd(topic, most, ids(topic, m -> !m.isGone()), dead, deadUnnamed);
  }

  private Set<String> ids(String topic, Predicate<Message> wanted) {
    return messages.stream()
        .filter(message -> message.key.topic().equals(topic))
        .filter(wanted)
        .map(message -> message.id)
        .collect(Collectors.toSet());
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 30) {
      send(new MessageKey(topic(), "k" + names++));
    } else if (dice < 36 && !byKey.isEmpty()) {
      List<MessageKey> keys = byKey.keySet().stream().sorted(KEY_ORDER).toList();
      send(keys.get(random.nextInt(keys.size())));
    } else if (dice < 66) {
      recv(topic());
    } else if (dice < 98) {
      settle();
    } else {
      crash();
    }
  }

  private void send(MessageKey key) {
    CallOutcome outcome = outcome();
    boolean done = isDone(outcome);
    Message there = byKey.get(key);
    boolean duplicate = there != null;
    Accepted accepted = null;
    if (done) {
      Message message = there != null ? there : create(key);
      accepted = outcome == CallOutcome.OK ? new Accepted(message.id, duplicate) : null;
    }
    events.add(new Send(span(0), outcome, key, Story.hash(key.idemKey()), accepted));
  }

  private Message create(MessageKey key) {
    Message message = new Message("m" + names++, key);
    boolean isDelayed = random.nextInt(4) == 0;
    message.visibleAt = isDelayed ? now + random.nextInt(500) : now;
    message.place = isDelayed ? null : new ShardPlace(0, names);
    messages.add(message);
    byKey.put(key, message);
    return message;
  }

  private void recv(String topic) {
    CallOutcome outcome = outcome();
    Duration visibility = Duration.ofMillis(250 + random.nextInt(500));
    CallSpan span = span(0);
    List<Handed> handed = new ArrayList<>();
    if (isDone(outcome)) {
      List<Message> ready =
          messages.stream().filter(m -> m.key.topic().equals(topic) && isReady(m)).toList();
      ready.stream()
          .limit(1 + random.nextInt(3))
          .forEach(message -> handed.add(lease(message, visibility)));
    }
    if (outcome == CallOutcome.OK) {
      messages.stream()
          .filter(message -> handed.stream().anyMatch(one -> one.msgId().equals(message.id)))
          .forEach(message -> learn(message, span));
    } else {
      handed.clear();
    }
    events.add(new Recv(span, outcome, topic, visibility, handed));
  }

  private void learn(Message message, CallSpan span) {
    String receipt = message.lastReceipt;
    if (receipt != null) {
      known.add(new Known(message, receipt, span.returned() / 1_000_000));
    }
  }

  private boolean isReady(Message message) {
    return !message.isGone() && message.holder == null && message.visibleAt <= now;
  }

  private Handed lease(Message message, Duration visibility) {
    String receipt = "r" + names++;
    message.holder = receipt;
    message.lastReceipt = receipt;
    message.leaseEnd = now + visibility.toMillis();
    String key = message.key.idemKey();
    String hash = Story.hash(key);
    return new Handed(message.id, key, hash, message.attempt, receipt, message.place);
  }

  private void settle() {
    List<Known> possible = known.stream().filter(one -> one.since() < now).toList();
    if (possible.isEmpty()) {
      return;
    }
    // Mostly a recent one, sometimes one that is long stale.
    int back = random.nextInt(random.nextInt(10) == 0 ? possible.size() : 3);
    Known one = possible.get(Math.max(0, possible.size() - 1 - back));
    Verb verb = VERBS.get(random.nextInt(VERBS.size()));
    Duration visibility = Duration.ofMillis(verb == Verb.EXTEND ? 250 + random.nextInt(500) : 0);
    CallOutcome outcome = settle(one, verb, visibility);
    String id = one.message().id;
    events.add(new Settle(span(one.since()), outcome, verb, id, one.receipt(), visibility));
  }

  private CallOutcome settle(Known one, Verb verb, Duration visibility) {
    CallOutcome outcome = outcome();
    if (!isAllowed(one, verb)) {
      return outcome == CallOutcome.UNKNOWN ? CallOutcome.UNKNOWN : CallOutcome.FAIL;
    }
    if (isDone(outcome)) {
      apply(one.message(), verb, visibility);
    }
    return outcome;
  }

  private static boolean isAllowed(Known one, Verb verb) {
    Message message = one.message();
    boolean latest = one.receipt().equals(message.lastReceipt);
    if (verb == Verb.ACK) {
      // A repeated ACK succeeds, and so does a late one while nobody else has the message.
      return latest && !message.dead;
    }
    return latest && !message.isGone() && one.receipt().equals(message.holder);
  }

  private void apply(Message message, Verb verb, Duration visibility) {
    switch (verb) {
      case ACK -> {
        message.acked = true;
        message.holder = null;
      }
      case NACK -> fail(message, now + random.nextInt(100));
      case EXTEND -> message.leaseEnd = now + visibility.toMillis();
    }
  }

  private void expire(Message message) {
    if (message.holder != null && message.leaseEnd <= now) {
      fail(message, now);
    }
  }

  private void fail(Message message, long visibleAt) {
    message.holder = null;
    int most = MAX_ATTEMPTS.getOrDefault(message.key.topic(), 0);
    if (message.attempt == most) {
      message.dead = true;
    } else {
      message.attempt++;
      message.visibleAt = visibleAt;
    }
  }

  private void crash() {
    // No call is under way: an answer does not come after the death of its server.
    now += LATENCY + 1;
    messages.forEach(this::expire);
    CallSpan span = Story.at(now, now + 30);
    crashes.add(span);
    now += 31;
    messages.forEach(message -> message.holder = null);
    known.clear();
  }

  private String topic() {
    return random.nextInt(3) == 0 ? "few" : "many";
  }

  private CallOutcome outcome() {
    int dice = random.nextInt(40);
    return dice == 0 ? CallOutcome.FAIL : dice == 1 ? CallOutcome.UNKNOWN : CallOutcome.OK;
  }

  private boolean isDone(CallOutcome outcome) {
    return outcome == CallOutcome.OK || (outcome == CallOutcome.UNKNOWN && random.nextBoolean());
  }

  /** A span around now that does not begin before {@code earliest}. */
  private CallSpan span(long earliest) {
    long from = Math.max(now - random.nextInt(LATENCY), earliest);
    return Story.at(from, now + random.nextInt(LATENCY));
  }
}
