package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.TWO_LEASES;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.history.Event.Settle;
import org.svcmailbox.test.history.Event.Verb;

/**
 * One lease at a time: of two deliveries of a message, one lease can have ended before the other
 * began. A lease begins at the latest when its RECV was answered. It ends at the earliest when its
 * visibility since the invocation is over, when a client began to settle it, or when the server
 * died.
 */
final class LeaseCheck {
  private final HistoryIndex index;
  private final List<Violation> found = new ArrayList<>();

  private LeaseCheck(HistoryIndex index) {
    this.index = index;
  }

  static List<Violation> violations(HistoryIndex index) {
    LeaseCheck check = new LeaseCheck(index);
    index.deliveries().values().forEach(check::check);
    return check.found;
  }

  private void check(List<RecordedDelivery> deliveries) {
    for (int i = 0; i < deliveries.size(); i++) {
      for (int j = i + 1; j < deliveries.size(); j++) {
        check(deliveries.get(i), deliveries.get(j));
      }
    }
  }

  private void check(RecordedDelivery one, RecordedDelivery other) {
    if (!canPrecede(one, other) && !canPrecede(other, one)) {
      String detail = one + " and " + other;
      found.add(new Violation(TWO_LEASES, one.msgId(), detail));
    }
  }

  private boolean canPrecede(RecordedDelivery first, RecordedDelivery second) {
    return earliestEnd(first) <= second.span().returned();
  }

  private long earliestEnd(RecordedDelivery delivery) {
    List<Settle> concerning =
        index.settles(delivery.msgId()).stream().filter(one -> concerns(one, delivery)).toList();
    long settled =
        concerning.stream()
            .filter(one -> one.verb() != Verb.EXTEND)
            .mapToLong(one -> one.span().invoked())
            .min()
            .orElse(Long.MAX_VALUE);
    long expiry =
        earliestExpiry(
            delivery, concerning.stream().filter(one -> one.verb() == Verb.EXTEND).toList());
    return Math.min(Math.min(expiry, settled), index.nextLoss(delivery.span().invoked()));
  }

  /** The last EXTEND decides; any that may have been the last is considered. */
  private static long earliestExpiry(RecordedDelivery delivery, List<Settle> extensions) {
    List<Settle> done = extensions.stream().filter(LeaseCheck::isCertain).toList();
    LongStream possible =
        extensions.stream()
            .filter(one -> !isCertain(one) || isPerhapsLast(one, done))
            .mapToLong(one -> one.span().earliestEnd(one.visibility()));
    long extended = possible.min().orElse(Long.MAX_VALUE);
    return done.isEmpty()
        ? Math.min(extended, delivery.span().earliestEnd(delivery.visibility()))
        : extended;
  }

  private static boolean isCertain(Settle extend) {
    return extend.outcome() == CallOutcome.OK && extend.receipt() != null;
  }

  private static boolean isPerhapsLast(Settle extend, List<Settle> done) {
    return done.stream().noneMatch(other -> extend.span().before(other.span()));
  }

  private static boolean concerns(Settle settle, RecordedDelivery delivery) {
    return settle.outcome() != CallOutcome.FAIL
        && settle.span().returned() >= delivery.span().invoked()
        && isFor(settle.receipt(), delivery);
  }

  private static boolean isFor(@Nullable String receipt, RecordedDelivery delivery) {
    return receipt == null || receipt.equals(delivery.handed().receipt());
  }
}
