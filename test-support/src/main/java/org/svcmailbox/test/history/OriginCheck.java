package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.Violation.Kind.INVENTED;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Send;

/**
 * Every received message was sent, with the same key and bytes, by a SEND that had begun and was
 * not refused. It has the id of that SEND's answer.
 */
final class OriginCheck {
  private final HistoryIndex index;
  private final Map<String, MessageKey> owners = new HashMap<>();

  private OriginCheck(HistoryIndex index) {
    this.index = index;
    index.sends().forEach((key, sends) -> sends.forEach(send -> own(key, send)));
  }

  static List<Violation> violations(HistoryIndex index) {
    OriginCheck check = new OriginCheck(index);
    return index.deliveries().values().stream()
        .flatMap(List::stream)
        .filter(delivery -> !check.isExplained(delivery))
        .map(delivery -> new Violation(INVENTED, delivery.msgId(), delivery.handed().toString()))
        .toList();
  }

  private void own(MessageKey key, Send send) {
    Accepted accepted = send.accepted();
    if (accepted != null) {
      owners.putIfAbsent(accepted.msgId(), key);
    }
  }

  private boolean isExplained(RecordedDelivery delivery) {
    // The first delivery of an id that no answered SEND names decides whose it is.
    MessageKey owner = owners.computeIfAbsent(delivery.msgId(), id -> delivery.key());
    return owner.equals(delivery.key())
        && index.sends(delivery.key()).stream().anyMatch(send -> isOrigin(send, delivery))
        && hasPossibleId(delivery);
  }

  private static boolean isOrigin(Send send, RecordedDelivery delivery) {
    return send.outcome() != CallOutcome.FAIL
        && send.span().invoked() <= delivery.span().returned()
        && send.payloadHash().equals(delivery.handed().payloadHash());
  }

  private boolean hasPossibleId(RecordedDelivery delivery) {
    Set<String> answered = index.answeredIds(delivery.key());
    return answered.contains(delivery.msgId())
        || index.sends(delivery.key()).stream()
            .anyMatch(send -> send.outcome() == CallOutcome.UNKNOWN);
  }
}
