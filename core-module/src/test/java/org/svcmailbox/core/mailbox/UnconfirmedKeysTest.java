package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.NaiveLetterIndex;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.LookupService.Matches;
import org.svcmailbox.core.redrive.run.InMemoryLetters;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Groups;

/** One key, two workers: what the first has not committed, the other takes for no duplicate. */
class UnconfirmedKeysTest {
  private static final String TOPIC = "orders";
  private static final int FIRST = 0;
  private static final int OTHER = 1;

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "2", "mailbox.ready_shards", "8"));

  @BeforeEach
  void open() {
    rig.send(TOPIC, "one", "x");
    rig.send(TOPIC, "two", "x");
  }

  @Test
  void aKeyOfABatchThatNeverWasIsFreeOnceThatIsKnown() {
    CompletableFuture<SendOutcome> first = submit(FIRST);
    CompletableFuture<SendOutcome> other = submit(OTHER);
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.mailbox().step(FIRST);
    rig.mailbox().step(OTHER);

    assertInstanceOf(Refusal.class, first.join());
    assertEquals("being_confirmed", assertInstanceOf(Refusal.class, other.join()).reason());
    acceptsItOnce();
  }

  @Test
  void anotherPayloadIsNoConflictWithAMessageThatMayNeverBe() {
    CompletableFuture<SendOutcome> first = submit(FIRST);
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.mailbox().step(FIRST);
    assertInstanceOf(Refusal.class, first.join());

    CompletableFuture<SendOutcome> other =
        rig.submit(TOPIC, "k", "another", shardKey(OTHER), Duration.ZERO);
    rig.mailbox().step(OTHER);
    assertEquals("being_confirmed", assertInstanceOf(Refusal.class, other.join()).reason());
  }

  @Test
  void aBatchWhoseAnswerWasLostIsADuplicateOnceThatIsKnown() {
    CompletableFuture<SendOutcome> first = submit(FIRST);
    rig.broker.failNextCommit(CommitFault.AFTER);
    rig.mailbox().step(FIRST);
    assertInstanceOf(Refusal.class, first.join());
    CompletableFuture<SendOutcome> other = submit(OTHER);
    rig.mailbox().step(OTHER);
    assertEquals("being_confirmed", assertInstanceOf(Refusal.class, other.join()).reason());

    rig.pass(Duration.ofSeconds(1));
    other = submit(OTHER);
    rig.run();
    assertEquals(true, assertInstanceOf(Accepted.class, other.join()).duplicate());
    assertEquals(3, rig.broker.everything().size());
  }

  @Test
  void aSearchForSuchAKeySaysThatItIsIncomplete() {
    assertTrue(search().isComplete());
    CompletableFuture<SendOutcome> first = submit(FIRST);
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.mailbox().step(FIRST);
    assertInstanceOf(Refusal.class, first.join());
    assertEquals(new Matches(List.of(), false), search());
    acceptsItOnce();
    assertTrue(search().isComplete());
  }

  private Matches search() {
    Mailbox mailbox = rig.mailbox();
    DeadLetters letters =
        new DeadLetters(
            mailbox.directory(),
            new NaiveLetterIndex(),
            new InMemoryLetters(rig.broker),
            mailbox.storedLedgers(),
            nonces -> Map.of());
    return mailbox
        .lookup(letters, nonces -> Map.of())
        .byKey(SampleCallers.OPERATOR, new TopicName(TOPIC), new IdemKey("k"));
  }

  /** The key is free once the log is whole, and then taken by one message. */
  private void acceptsItOnce() {
    rig.pass(Duration.ofSeconds(1));
    CompletableFuture<SendOutcome> again = submit(OTHER);
    rig.run();
    assertFalse(assertInstanceOf(Accepted.class, again.join()).duplicate());
    assertEquals(3, rig.broker.everything().size());
  }

  private CompletableFuture<SendOutcome> submit(int worker) {
    return rig.submit(TOPIC, "k", "x", shardKey(worker), Duration.ZERO);
  }

  /** A shard key of a shard that this worker owns. */
  private String shardKey(int worker) {
    Predicate<String> isMine =
        key -> {
          Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
          int slot = topic.shardFor(new IdemKey("k"), new ShardKey(key)).slot();
          return Groups.ofWorkers(2).workerOf(slot) == worker;
        };
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "s" + i)
        .filter(isMine)
        .findFirst()
        .orElseThrow();
  }
}
