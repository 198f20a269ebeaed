package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.DEAD_LETTERS;
import static org.svcmailbox.test.history.Violation.Kind.LOST;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.test.history.Event.Send;
import org.svcmailbox.test.history.Event.Verb;

/**
 * Nothing is lost: every message that certainly exists was acknowledged, is left, or is dead. Where
 * only the number of dead letters is known, the messages that nothing else accounts for must be as
 * many, and each must have had its attempts.
 */
final class LossCheck {
  private final HistoryIndex index;
  private final TopicEnd end;
  private final long unseen;
  private final List<Violation> found = new ArrayList<>();
  private final List<String> unaccounted = new ArrayList<>();
  private long perhapsDead;

  private LossCheck(HistoryIndex index, TopicEnd end) {
    this.index = index;
    this.end = end;
    this.unseen = index.hiddenDeliveries(end.topic(), Long.MIN_VALUE, Long.MAX_VALUE);
  }

  static List<Violation> violations(HistoryIndex index, List<TopicEnd> ends) {
    Map<String, LossCheck> byTopic = new HashMap<>();
    ends.forEach(end -> byTopic.put(end.topic(), new LossCheck(index, end)));
    index.topicsOfMessages().forEach((id, topic) -> of(byTopic, topic).account(id));
    return byTopic.values().stream().flatMap(check -> check.verdict().stream()).toList();
  }

  private static LossCheck of(Map<String, LossCheck> byTopic, String topic) {
    LossCheck check = byTopic.get(topic);
    if (check == null) {
      throw new IllegalArgumentException("the end of topic " + topic + " is not given");
    }
    return check;
  }

  private void account(String id) {
    if (acknowledged(id, CallOutcome.OK) || end.left().contains(id) || end.dead().contains(id)) {
      return;
    }
    boolean canBeDead = canBeDead(id);
    if (acknowledged(id, CallOutcome.UNKNOWN)) {
      perhapsDead += canBeDead ? 1 : 0;
    } else if (canBeDead) {
      unaccounted.add(id);
    } else {
      found.add(new Violation(LOST, id, "in " + end.topic() + ", " + index.deliveries(id)));
    }
  }

  private List<Violation> verdict() {
    if (unaccounted.size() > end.deadUnnamed()) {
      found.add(new Violation(LOST, end.topic(), counts() + ": " + unaccounted));
    }
    if (end.deadUnnamed() > unaccounted.size() + perhapsDead + unknownSends()) {
      found.add(new Violation(DEAD_LETTERS, end.topic(), counts()));
    }
    return found;
  }

  private String counts() {
    return unaccounted.size() + " messages unaccounted for, " + end.deadUnnamed() + " dead letters";
  }

  private boolean acknowledged(String id, CallOutcome outcome) {
    return index.settles(id).stream()
        .anyMatch(settle -> settle.verb() == Verb.ACK && settle.outcome() == outcome);
  }

  private boolean canBeDead(String id) {
    int seen = index.deliveries(id).stream().mapToInt(RecordedDelivery::attempt).max().orElse(0);
    return seen + unseen >= end.maxAttempts();
  }

  /** Messages that may exist though nobody was told so, and may have died unseen. */
  private long unknownSends() {
    if (unseen < end.maxAttempts()) {
      return 0;
    }
    return index.sends().entrySet().stream()
        .filter(entry -> entry.getKey().topic().equals(end.topic()))
        .filter(entry -> index.answeredIds(entry.getKey()).isEmpty())
        .flatMap(entry -> entry.getValue().stream())
        .map(Send::outcome)
        .filter(CallOutcome.UNKNOWN::equals)
        .count();
  }
}
