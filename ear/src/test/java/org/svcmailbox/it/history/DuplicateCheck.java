package org.svcmailbox.it.history;

import static org.svcmailbox.it.history.Violation.Kind.DUPLICATE;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.it.history.Event.Accepted;
import org.svcmailbox.it.history.Event.MessageKey;
import org.svcmailbox.it.history.Event.Send;

/**
 * The SENDs of one key are one message: all answers carry one id, which is no other key's, at most
 * one says that it was the first, and one that says it was not has a first before it.
 */
final class DuplicateCheck {
  private final HistoryIndex index;
  private final long windowNanos;
  private final Map<MessageKey, Set<String>> delivered = new HashMap<>();
  private final Map<String, MessageKey> owners = new HashMap<>();
  private final List<Violation> found = new ArrayList<>();

  private DuplicateCheck(HistoryIndex index, Duration window) {
    this.index = index;
    this.windowNanos = window.toNanos();
    index.deliveries().forEach((id, all) -> all.forEach(this::addDelivered));
  }

  static List<Violation> violations(HistoryIndex index, Duration window) {
    DuplicateCheck check = new DuplicateCheck(index, window);
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
    if (ids.size() > 1) {
      report(key, "is " + ids.size() + " messages: " + ids);
    }
    checkAnswers(key, sends);
  }

  private void own(String id, MessageKey key) {
    MessageKey owner = owners.putIfAbsent(id, key);
    if (owner != null) {
      report(key, "was answered with " + id + ", which is " + owner);
    }
  }

  private void checkAnswers(MessageKey key, List<Send> sends) {
    long firsts = sends.stream().filter(send -> isAnswered(send, false)).count();
    if (firsts > 1) {
      report(key, "was new " + firsts + " times");
    }
    sends.stream()
        .filter(send -> isAnswered(send, true) && !hasFirst(send, sends))
        .forEach(send -> report(key, "was a duplicate of nothing " + send.span()));
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
    return last - first < windowNanos;
  }

  private void report(MessageKey key, String detail) {
    found.add(new Violation(DUPLICATE, key.toString(), detail));
  }
}
