package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Groups;

/**
 * The process dies while it does not know whether a batch was committed. The next life knows,
 * whichever of its workers meets the batch's keys first.
 */
class InDoubtTest {
  private static final String TOPIC = "orders";
  private static final Map<String, String> TWO_WORKERS =
      Map.of("mailbox.workers", "2", "mailbox.ready_shards", "8");

  @Test
  void aReservedKeyIsNoDuplicateWhenAnotherNumberOfWorkersComesUp() {
    MailboxRig rig = new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "8"));
    rig.send(TOPIC, "first", "x");
    Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
    // With two workers this shard is the second one's, with one worker it was the only one's.
    String key = first(i -> "k" + i, name -> owner(topic.shardFor(new IdemKey(name), null)) == 1);
    ShardId shard = topic.shardFor(new IdemKey(key), null);
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.send(TOPIC, key, "x"));

    rig.crashInto(TWO_WORKERS);

    assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x"));
    assertEquals(2, rig.broker.everything().size(), "the broker has what was answered");
    String next =
        first(i -> "n" + i, name -> topic.shardFor(new IdemKey(name), null).equals(shard));
    rig.send(TOPIC, next, "x");
    List<LedgerEntry> entries = rig.ledger(topic, shard.index());
    assertEquals(
        new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
  }

  @Test
  void aReservedKeyIsNoDuplicateForTheWorkerOfAnotherShard() {
    MailboxRig rig = new MailboxRig(1, TWO_WORKERS);
    rig.send(TOPIC, "first", "x");
    Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
    IdemKey key = new IdemKey("any");
    String mine = first(i -> "s" + i, s -> owner(topic.shardFor(key, new ShardKey(s))) == 0);
    String other = first(i -> "s" + i, s -> owner(topic.shardFor(key, new ShardKey(s))) == 1);
    rig.broker.failNextCommit(CommitFault.BEFORE);
    assertInstanceOf(Refusal.class, rig.send(TOPIC, "any", "x", mine, Duration.ZERO));

    rig.crashInto(TWO_WORKERS);

    SendOutcome again = rig.send(TOPIC, "any", "x", other, Duration.ZERO);
    assertEquals(false, assertInstanceOf(Accepted.class, again).duplicate());
    assertEquals(2, rig.broker.everything().size(), "the broker has what was answered");
  }

  @Test
  void aBatchThatWasEnqueuedStaysThoughNobodyWasTold() {
    MailboxRig rig = new MailboxRig(1, TWO_WORKERS);
    rig.send(TOPIC, "first", "x");
    rig.broker.failNextCommit(CommitFault.AFTER);
    assertInstanceOf(Refusal.class, rig.send(TOPIC, "second", "x"));

    rig.crashInto(TWO_WORKERS);

    SendOutcome again = rig.send(TOPIC, "second", "x");
    assertEquals(true, assertInstanceOf(Accepted.class, again).duplicate());
    assertEquals(2, rig.broker.everything().size());
  }

  @Test
  void aMessageAcknowledgedBeforeTheCrashIsNotWithdrawn() {
    MailboxRig rig = new MailboxRig(1, TWO_WORKERS);
    rig.send(TOPIC, "only", "x");
    RecvOutcome.Delivered delivered =
        assertInstanceOf(RecvOutcome.Delivered.class, rig.recvNow(TOPIC, 1));
    RecvOutcome.LeasedMessage leased = delivered.messages().get(0);
    rig.ack(leased.message().envelope().msgId(), leased.receipt());

    rig.crashInto(TWO_WORKERS);

    SendOutcome again = rig.send(TOPIC, "only", "x");
    assertEquals(true, assertInstanceOf(Accepted.class, again).duplicate());
    assertEquals(0, rig.broker.everything().size());
  }

  private static int owner(ShardId shard) {
    return Groups.ofWorkers(2).workerOf(shard.slot());
  }

  private static String first(IntFunction<String> candidate, Predicate<String> fits) {
    return IntStream.range(0, 10_000).mapToObj(candidate).filter(fits).findFirst().orElseThrow();
  }
}
