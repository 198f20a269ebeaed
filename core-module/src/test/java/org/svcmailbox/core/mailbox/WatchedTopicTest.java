package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.ReadyService.Watch;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.TopicOverrides;

/** Topics that are watched for messages, which are not leased. */
class WatchedTopicTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "2"));
  private int reports;

  @BeforeEach
  void create() {
    rig.operate(
        () ->
            rig.mailbox()
                .topicAdmin()
                .put(SampleCallers.OPERATOR, ORDERS, TopicOverrides.NONE, Precondition.NONE));
  }

  private Watch watch() {
    return watch(null);
  }

  private Watch watch(@Nullable Integer shard) {
    Watch watch = rig.mailbox().whenReady(ORDERS, shard, () -> reports++);
    rig.run();
    return watch;
  }

  private List<LeasedMessage> receive() {
    return assertInstanceOf(Delivered.class, rig.recvNow("orders", 10)).messages();
  }

  @Test
  void aMessageIsReportedOnceAndNotLeased() {
    Watch unused = watch();
    assertEquals(0, reports);
    rig.send("orders", "k", "x");
    assertEquals(1, reports);
    rig.send("orders", "l", "x");
    assertEquals(1, reports);
    assertEquals(2, receive().size());
  }

  @Test
  void aMessageThatIsThereIsReportedAtOnce() {
    rig.send("orders", "k", "x");
    Watch unused = watch();
    assertEquals(1, reports);
    Watch again = watch();
    assertEquals(2, reports, "it is still there");
    again.cancel();
  }

  @Test
  void aMessageThatAWaitingCallTakesIsNotReported() {
    PendingRecv recv = rig.recv("orders", 1, WAIT, WAIT);
    Watch unused = watch();
    rig.send("orders", "k", "x");
    assertEquals(
        1,
        assertInstanceOf(Delivered.class, MailboxRig.answered(recv.outcome())).messages().size());
    assertEquals(0, reports);
    rig.send("orders", "l", "x");
    assertEquals(1, reports);
  }

  @Test
  void aMessageThatComesBackIsReported() {
    rig.send("orders", "k", "x");
    LeasedMessage leased = receive().get(0);
    Watch unused = watch();
    assertEquals(0, reports);
    rig.nack(leased.message().envelope().msgId(), leased.receipt(), Duration.ZERO);
    assertEquals(1, reports);
    assertEquals(1, receive().size());
    Watch other = watch();
    rig.pass(Duration.ofSeconds(30));
    assertEquals(2, reports, "its lease ran out");
    other.cancel();
  }

  @Test
  void aScheduledMessageIsReportedAtItsTime() {
    rig.send("orders", "k", "x", null, Duration.ofSeconds(5));
    Watch unused = watch();
    rig.pass(Duration.ofSeconds(4));
    assertEquals(0, reports);
    rig.pass(Duration.ofSeconds(2));
    assertEquals(1, reports);
  }

  @Test
  void onlyTheShardOfTheWatchCounts() {
    int other = shardOf("k") == 0 ? 1 : 0;
    Watch unused = watch(other);
    rig.send("orders", "k", "x");
    assertEquals(0, reports);
    Watch there = watch(shardOf("k"));
    assertEquals(1, reports);
    there.cancel();
  }

  private int shardOf(String key) {
    return rig.mailbox().directory().existing(ORDERS).shardFor(new IdemKey(key), null).index();
  }

  @Test
  void aPausedTopicReportsOnceItGoesOn() {
    rig.operate(() -> rig.mailbox().topicAdmin().pause(SampleCallers.OPERATOR, ORDERS));
    rig.send("orders", "k", "x");
    Watch unused = watch();
    assertEquals(0, reports);
    rig.operate(() -> rig.mailbox().topicAdmin().resume(SampleCallers.OPERATOR, ORDERS));
    assertEquals(1, reports);
  }

  @Test
  void aWatchThatIsCancelledReportsNothing() {
    watch().cancel();
    rig.send("orders", "k", "x");
    assertEquals(0, reports);
  }

  /** A RECV then says why. */
  @Test
  void aTopicThatCannotBeWatchedIsReported() {
    Watch unused = rig.mailbox().whenReady(new TopicName("none"), null, () -> reports++);
    assertEquals(1, reports);
    Watch deleted = watch();
    rig.operate(() -> rig.mailbox().topicAdmin().delete(SampleCallers.OPERATOR, ORDERS));
    assertEquals(2, reports);
    deleted.cancel();
  }

  @Test
  void aLostSessionAndTheEndAreReported() {
    Watch unused = watch();
    rig.broker.crash();
    rig.run();
    rig.pass(Duration.ofSeconds(5));
    assertEquals(1, reports);
    Watch last = watch();
    rig.stop();
    assertEquals(2, reports);
    last.cancel();
  }
}
