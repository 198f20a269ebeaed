package org.svcmailbox.it.history;

import static java.util.Objects.requireNonNull;
import static org.svcmailbox.it.history.Violation.Kind.ORDER;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import org.svcmailbox.it.history.Event.ShardPlace;

/**
 * First deliveries of a shard come in order, from each start of the server on: of those behind a
 * message, no more than so many were certainly handed out before it. What was delayed or came back
 * is late by intention.
 */
final class OrderCheck {
  private record Line(String topic, int shard, long life) {}

  private final HistoryIndex index;
  private final int most;
  private final List<RecordedDelivery> byReturn;
  private final List<RecordedDelivery> byInvocation;
  private final Set<String> out = new HashSet<>();

  /** Of those that are out for certain the places furthest behind, one more than may overtake. */
  private final PriorityQueue<Long> furthest = new PriorityQueue<>();

  private OrderCheck(HistoryIndex index, int most, List<RecordedDelivery> line) {
    this.index = index;
    this.most = most;
    this.byReturn = sorted(line, Comparator.comparingLong(one -> one.span().returned()));
    this.byInvocation = sorted(line, Comparator.comparingLong(one -> one.span().invoked()));
  }

  private static List<RecordedDelivery> sorted(
      List<RecordedDelivery> line, Comparator<RecordedDelivery> order) {
    return line.stream().sorted(order).toList();
  }

  static List<Violation> violations(HistoryIndex index, int most) {
    return index.deliveries().values().stream()
        .flatMap(Collection::stream)
        .filter(one -> one.attempt() == 1 && one.handed().place() != null)
        .filter(one -> index.life(one.span().invoked()) == index.life(one.span().returned()))
        .collect(Collectors.groupingBy(one -> line(index, one)))
        .values()
        .stream()
        .flatMap(line -> new OrderCheck(index, most, line).violations().stream())
        .toList();
  }

  private static Line line(HistoryIndex index, RecordedDelivery one) {
    return new Line(one.recv().topic(), place(one).shard(), index.life(one.span().invoked()));
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
        && !index.mayHaveBeenHidden(one);
  }
}
