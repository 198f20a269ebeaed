package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;

/** Counts of the messages that passed through each topic. */
class TopicFlowTest {
  private static final List<Family> FLOW =
      List.of(
          Family.MAILBOX_TOPIC_SENT_TOTAL,
          Family.MAILBOX_TOPIC_DELIVERED_TOTAL,
          Family.MAILBOX_TOPIC_REDELIVERED_TOTAL,
          Family.MAILBOX_TOPIC_ACKED_TOTAL);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "2", "mailbox.metrics.topics", "1"));

  private List<LeasedMessage> recv(String topic, int most) {
    return ((Delivered) rig.recvNow(topic, most)).messages();
  }

  /** Sent, delivered, redelivered and acknowledged, by topic. */
  private Map<String, List<Long>> flow() {
    Map<String, long[]> all = new TreeMap<>();
    rig.mailbox().metrics().stream()
        .filter(metric -> FLOW.contains(metric.family()))
        .forEach(
            metric ->
                all.computeIfAbsent(metric.tags().get("topic"), topic -> new long[FLOW.size()])[
                        FLOW.indexOf(metric.family())] +=
                    (long) metric.now());
    Map<String, List<Long>> flow = new TreeMap<>();
    all.forEach((topic, counts) -> flow.put(topic, Arrays.stream(counts).boxed().toList()));
    return flow;
  }

  private void ack(LeasedMessage one) {
    rig.ack(one.message().envelope().msgId(), one.receipt());
  }

  @Test
  void repeatsCountOnce() {
    rig.send("a", "k", "1");
    rig.send("a", "k", "1");
    rig.send("a", "l", "2");
    LeasedMessage first = recv("a", 1).get(0);
    ack(first);
    ack(first);

    assertEquals(List.of(2L, 1L, 0L, 1L), flow().get("a"));
  }

  @Test
  void aReturnedMessageIsDeliveredAgain() {
    rig.send("a", "k", "1");
    LeasedMessage first = recv("a", 10).get(0);
    rig.nack(first.message().envelope().msgId(), first.receipt(), Duration.ZERO);
    rig.pass(Duration.ofSeconds(1));
    recv("a", 10);
    rig.pass(Duration.ofSeconds(6));

    ack(first);

    assertEquals(List.of(1L, 2L, 1L, 0L), flow().get("a"), "an ACK of a superseded lease");
    ack(recv("a", 10).get(0));
    assertEquals(List.of(1L, 3L, 2L, 1L), flow().get("a"));
  }

  @Test
  void purgedAndDeadMessagesAreNotAcknowledged() {
    rig.send("a", "k", "1");
    LeasedMessage one = recv("a", 1).get(0);
    rig.reject(one.message().envelope().msgId(), one.receipt());
    rig.send("a", "l", "2");
    rig.operate(() -> rig.mailbox().topicContents().purge(rig.caller, new TopicName("a")));

    assertEquals(List.of(2L, 1L, 0L, 0L), flow().get("a"));
  }

  @Test
  void topicsBeyondTheBoundCountTogetherAndDeletionLowersNothing() {
    rig.send("a", "k", "1");
    rig.send("b", "k", "1");
    rig.send("c", "k", "1");
    ack(recv("c", 1).get(0));
    assertEquals(Map.of("a", List.of(1L, 0L, 0L, 0L), "other", List.of(2L, 1L, 0L, 1L)), flow());

    rig.administer(() -> rig.mailbox().topicAdmin().delete(rig.caller, new TopicName("c")));

    assertEquals(List.of(2L, 1L, 0L, 1L), flow().get("other"));
  }
}
