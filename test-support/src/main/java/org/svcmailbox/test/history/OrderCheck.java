package org.svcmailbox.test.history;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static org.svcmailbox.test.history.Violation.Kind.ORDER;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;
import org.svcmailbox.test.history.Event.ShardPlace;

/**
 * First deliveries of a shard come in order: of the messages behind one, at most a given number
 * were certainly handed out before it. Judged for each life of the server, and across all of them.
 * A message that was delayed, or that an unanswered RECV may have had, is exempt. Across lives,
 * most messages in flight at a kill are of the second kind.
 */
final class OrderCheck {
  private record Line(String topic, int shard, long firstLife) {}

  private static final long ALL_LIVES = -1;

  private final HistoryIndex index;
  private final int most;
  private final long firstLife;
  private final List<RecordedDelivery> byReturn;
  private final List<RecordedDelivery> byInvocation;
  private final Set<String> out = new HashSet<>();

  /** The hindmost places among {@link #out}, at most one more than may overtake a message. */
  private final PriorityQueue<Long> furthest = new PriorityQueue<>();

  private OrderCheck(HistoryIndex index, int most, Line line, List<RecordedDelivery> deliveries) {
    this.index = index;
    this.most = most;
    this.firstLife = line.firstLife();
    this.byReturn = sorted(deliveries, Comparator.comparingLong(one -> one.span().returned()));
    this.byInvocation = sorted(deliveries, Comparator.comparingLong(one -> one.span().invoked()));
  }

  private static List<RecordedDelivery> sorted(
      List<RecordedDelivery> deliveries, Comparator<RecordedDelivery> order) {
    return deliveries.stream().sorted(order).toList();
  }

  static List<Violation> violations(HistoryIndex index, int most) {
    List<RecordedDelivery> first =
        index.deliveries().values().stream()
            .flatMap(Collection::stream)
            .filter(one -> one.attempt() == 1 && one.handed().place() != null)
            .toList();
    Map<Line, List<RecordedDelivery>> byLife =
        first.stream()
            .filter(one -> index.life(one.span().invoked()) == index.life(one.span().returned()))
            .collect(groupingBy(one -> line(one, index.life(one.span().invoked()))));
    Map<Line, List<RecordedDelivery>> acrossLives =
        first.stream().collect(groupingBy(one -> line(one, ALL_LIVES)));
    return Stream.of(byLife, acrossLives)
        .flatMap(lines -> lines.entrySet().stream())
        .map(line -> new OrderCheck(index, most, line.getKey(), line.getValue()))
        .flatMap(check -> check.violations().stream())
        .toList();
  }

  private static Line line(RecordedDelivery one, long firstLife) {
    return new Line(one.recv().topic(), place(one).shard(), firstLife);
  }

  private static ShardPlace place(RecordedDelivery one) {
    return requireNonNull(one.handed().place());
  }

  private List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    int next = 0;
    for (RecordedDelivery one : byInvocation) {
      while (byReturn.get(next).span().before(one.span())) {
        handedOut(byReturn.get(next++));
      }
      if (isOvertaken(one)) {
        String detail = "in " + one.recv().topic() + " at " + place(one) + ", " + one;
        found.add(new Violation(ORDER, one.msgId(), detail));
      }
    }
    return found;
  }

  private void handedOut(RecordedDelivery one) {
    if (out.add(one.msgId())) {
      furthest.add(place(one).seq());
    }
    if (furthest.size() > most + 1) {
      furthest.remove();
    }
  }

  private boolean isOvertaken(RecordedDelivery one) {
    return furthest.size() > most
        && furthest.element() > place(one).seq()
        && !out.contains(one.msgId())
        && !index.mayHaveBeenHidden(one, firstLife);
  }
}
