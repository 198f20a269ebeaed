package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.ATTEMPT;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.svcmailbox.test.history.Event.Send;

/**
 * Attempts count the deliveries: they begin at one, rise by one, never fall, and never go beyond
 * the topic's maximum. A crash may repeat a number, because the delivery it ended had not failed.
 * Numbers may be missing where RECVs went unanswered.
 */
final class AttemptCheck {
  private final HistoryIndex index;
  private final Map<String, TopicEnd> ends;
  private final List<Violation> found = new ArrayList<>();

  private AttemptCheck(HistoryIndex index, List<TopicEnd> ends) {
    this.index = index;
    this.ends = ends.stream().collect(Collectors.toMap(TopicEnd::topic, Function.identity()));
  }

  static List<Violation> violations(HistoryIndex index, List<TopicEnd> ends) {
    AttemptCheck check = new AttemptCheck(index, ends);
    index.deliveries().values().forEach(check::check);
    return check.found;
  }

  private void check(List<RecordedDelivery> deliveries) {
    List<RecordedDelivery> byAttempt =
        deliveries.stream().sorted(Comparator.comparingInt(RecordedDelivery::attempt)).toList();
    checkBeginning(byAttempt.get(0));
    for (int i = 1; i < byAttempt.size(); i++) {
      checkStep(byAttempt.get(i - 1), byAttempt.get(i));
    }
    checkOrder(byAttempt);
    checkMaximum(byAttempt.get(byAttempt.size() - 1));
  }

  private void checkBeginning(RecordedDelivery first) {
    if (first.attempt() == 1) {
      return;
    }
    long sent =
        index.sends(first.key()).stream()
            .map(Send::span)
            .mapToLong(CallSpan::invoked)
            .min()
            .orElse(Long.MIN_VALUE);
    long unseen = index.hiddenDeliveries(first.recv().topic(), sent, first.span().returned());
    if (first.attempt() < 1 || first.attempt() - 1 > unseen) {
      report(first, "is the first that was seen, with " + unseen + " unseen");
    }
  }

  private void checkStep(RecordedDelivery lower, RecordedDelivery higher) {
    CallSpan hull = lower.span().hull(higher.span());
    int missing = higher.attempt() - lower.attempt() - 1;
    if (missing < 0 && !index.lostLeasesIn(hull)) {
      report(higher, "repeats that of " + lower + " without a crash between");
    }
    if (missing > 0) {
      long unseen = index.hiddenDeliveries(higher.recv().topic(), hull.invoked(), hull.returned());
      if (missing > unseen) {
        report(higher, "follows on " + lower + ", with " + unseen + " unseen");
      }
    }
  }

  private void checkOrder(List<RecordedDelivery> byAttempt) {
    for (int i = 0; i < byAttempt.size(); i++) {
      RecordedDelivery lower = byAttempt.get(i);
      byAttempt.stream()
          .skip(i + 1L)
          .filter(higher -> higher.attempt() > lower.attempt())
          .filter(higher -> higher.span().before(lower.span()))
          .forEach(higher -> report(lower, "is after " + higher));
    }
  }

  private void checkMaximum(RecordedDelivery last) {
    TopicEnd end = ends.get(last.recv().topic());
    if (end != null && last.attempt() > end.maxAttempts()) {
      report(last, "is more than " + end.maxAttempts());
    }
  }

  private void report(RecordedDelivery delivery, String detail) {
    found.add(new Violation(ATTEMPT, delivery.msgId(), delivery + " " + detail));
  }
}
