package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.DUPLICATE;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Send;

/**
 * The SENDs of one key are one message. All answers carry one id, which is no other key's. At most
 * one claims to be the first, and each duplicate has a first before it. In a cluster a SEND that
 * was under way when a node died may be its own first, and then no other one is new. Where an
 * acknowledgement frees the key, there may be one more message for each that can have been
 * acknowledged before the last SEND.
 */
final class DuplicateCheck {
  private final HistoryIndex index;
  private final KeyScope keys;
  private final Map<MessageKey, Set<String>> delivered = new HashMap<>();
  private final Map<String, MessageKey> owners = new HashMap<>();
  private final List<Violation> found = new ArrayList<>();

  private DuplicateCheck(HistoryIndex index, KeyScope keys) {
    this.index = index;
    this.keys = keys;
    index.deliveries().forEach((id, all) -> all.forEach(this::addDelivered));
  }

  static List<Violation> violations(HistoryIndex index, KeyScope keys) {
    DuplicateCheck check = new DuplicateCheck(index, keys);
    index.sends().forEach(check::check);
    return check.found;
  }

  private void addDelivered(RecordedDelivery delivery) {
    delivered.computeIfAbsent(delivery.key(), key -> new HashSet<>()).add(delivery.msgId());
  }

  private void check(MessageKey key, List<Send> sends) {
    index.answeredIds(key).forEach(id -> own(id, key));
    if (!isWithinWindow(sends)) {
      return;
    }
    Set<String> ids = new HashSet<>(index.answeredIds(key));
    ids.addAll(delivered.getOrDefault(key, Set.of()));
    long allowed = 1 + (keys.endsWithAck() ? freed(ids, sends) : 0);
    if (ids.size() > allowed) {
      report(key, "is " + ids.size() + " messages: " + ids);
    }
    checkAnswers(key, sends, allowed);
  }

  /** How many of the messages can have been acknowledged before the last SEND had its effect. */
  private long freed(Set<String> ids, List<Send> sends) {
    long last = sends.stream().mapToLong(send -> send.span().returned()).max().orElseThrow();
    return ids.stream().filter(id -> index.canBeAcknowledgedBy(id, last)).count();
  }

  private void own(String id, MessageKey key) {
    MessageKey owner = owners.putIfAbsent(id, key);
    if (owner != null) {
      report(key, "was answered with " + id + ", which is " + owner);
    }
  }

  private void checkAnswers(MessageKey key, List<Send> sends, long allowed) {
    List<Send> alone =
        sends.stream().filter(send -> isAnswered(send, true) && !hasFirst(send, sends)).toList();
    long firsts = sends.stream().filter(send -> isAnswered(send, false)).count();
    firsts += alone.stream().anyMatch(this::canBeItsOwnFirst) ? 1 : 0;
    if (firsts > allowed) {
      report(key, "was new " + firsts + " times");
    }
    alone.stream()
        .filter(send -> noneBefore(send, alone))
        .forEach(send -> report(key, "was a duplicate of nothing " + send.span()));
  }

  /** Whether none of the duplicates without a first, this one included, can be the first for it. */
  private boolean noneBefore(Send duplicate, List<Send> alone) {
    return alone.stream()
        .filter(send -> !duplicate.span().before(send.span()))
        .noneMatch(this::canBeItsOwnFirst);
  }

  /** Whether another process may have stored this one's message, and died before its answer. */
  private boolean canBeItsOwnFirst(Send send) {
    return keys.ownDuplicates() && index.crashedIn(send.span());
  }

  private static boolean hasFirst(Send duplicate, List<Send> sends) {
    return sends.stream()
        .filter(send -> !send.equals(duplicate) && !duplicate.span().before(send.span()))
        .anyMatch(send -> isAnswered(send, false) || send.outcome() == CallOutcome.UNKNOWN);
  }

  private static boolean isAnswered(Send send, boolean duplicate) {
    Accepted accepted = send.accepted();
    return accepted != null && accepted.duplicate() == duplicate;
  }

  private boolean isWithinWindow(List<Send> sends) {
    long first = sends.stream().mapToLong(send -> send.span().invoked()).min().orElseThrow();
    long last = sends.stream().mapToLong(send -> send.span().returned()).max().orElseThrow();
    return keys.endsWithAck() || last - first < keys.window().toNanos();
  }

  private void report(MessageKey key, String detail) {
    found.add(new Violation(DUPLICATE, key.toString(), detail));
  }
}
