package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.AFTER_ACK;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.test.history.Event.Settle;
import org.svcmailbox.test.history.Event.Verb;

/** An ACK is final: after its answer the message is received by nobody and is nowhere. */
final class FinalityCheck {
  private final HistoryIndex index;
  private final List<TopicEnd> ends;
  private final List<Violation> found = new ArrayList<>();

  private FinalityCheck(HistoryIndex index, List<TopicEnd> ends) {
    this.index = index;
    this.ends = ends;
  }

  static List<Violation> violations(HistoryIndex index, List<TopicEnd> ends) {
    FinalityCheck check = new FinalityCheck(index, ends);
    index.topicsOfMessages().keySet().forEach(check::check);
    return check.found;
  }

  private void check(String id) {
    index.settles(id).stream()
        .filter(settle -> settle.verb() == Verb.ACK && settle.outcome() == CallOutcome.OK)
        .findFirst()
        .ifPresent(ack -> check(id, ack));
  }

  private void check(String id, Settle ack) {
    index.deliveries(id).stream()
        .filter(delivery -> ack.span().before(delivery.span()))
        .forEach(delivery -> report(id, "received " + delivery + " after ACK " + ack.span()));
    if (ends.stream().anyMatch(end -> end.left().contains(id))) {
      report(id, "still there after ACK " + ack.span());
    }
    if (ends.stream().anyMatch(end -> end.dead().contains(id))) {
      report(id, "a dead letter after ACK " + ack.span());
    }
  }

  private void report(String id, String detail) {
    found.add(new Violation(AFTER_ACK, id, detail));
  }
}
