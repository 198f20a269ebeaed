package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/** Topics that were made, changed and deleted in the moments that a database has lost. */
class FallenBackTopicsTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.workers", "2", "mailbox.ready_shards", "2");

  /** The process that meets the older database. */
  enum Meets {
    /** The process that knows what was lost: a replica was promoted. */
    RUNNING,
    /** Another one: a backup was restored. */
    START
  }

  private final MailboxRig rig = new MailboxRig(1, SETTINGS);
  private InMemoryProjectionStore log = rig.log.copy();
  private InMemoryTopicStore topics = rig.topics.copy();

  @BeforeEach
  void open() {
    rig.run();
    assertFalse(isDuplicate("other", "one"));
  }

  private boolean isDuplicate(String topic, String key) {
    return assertInstanceOf(Accepted.class, rig.send(topic, key, "x")).duplicate();
  }

  private void remember() {
    log = rig.log.copy();
    topics = rig.topics.copy();
  }

  private void fallBack(Meets meets) {
    fallBack();
    if (meets == Meets.START) {
      rig.crash();
    } else {
      notice();
    }
  }

  private void fallBack() {
    rig.log.replaceBy(log);
    rig.topics.replaceBy(topics);
  }

  /** As after the loss of every connection. */
  private void notice() {
    rig.mailbox().projector().doubt();
    rig.run();
  }

  private void put(int shards) {
    rig.operate(
        () ->
            rig.mailbox()
                .topicAdmin()
                .put(
                    rig.caller,
                    ORDERS,
                    TopicOverrides.NONE.withReadyShards(shards),
                    Precondition.NONE));
  }

  private void delete() {
    rig.operate(() -> rig.mailbox().topicAdmin().delete(rig.caller, ORDERS));
  }

  private Topic topic() {
    return rig.mailbox().directory().existing(ORDERS);
  }

  private int receiveAll(String topic) {
    int came = 0;
    List<LeasedMessage> some = receive(topic);
    for (; !some.isEmpty(); some = receive(topic)) {
      for (LeasedMessage one : some) {
        assertEquals(SettleOutcome.DONE, rig.ack(one.message().envelope().msgId(), one.receipt()));
        came++;
      }
    }
    return came;
  }

  private List<LeasedMessage> receive(String topic) {
    return assertInstanceOf(
            Delivered.class,
            MailboxRig.answered(rig.recv(topic, 100, LONG, Duration.ZERO).outcome()))
        .messages();
  }

  /** The database follows, also after the next start, and has a row for each topic. */
  private void assertWhole() {
    for (int round = 0; round < 2; round++) {
      assertFalse(isDuplicate("other", "whole-" + round + rig.time.nanos()));
      rig.pass(Duration.ofSeconds(10));
      assertEquals("", rig.mailbox().projectionTrouble());
      assertEquals("", rig.mailbox().storeMismatch());
      assertEquals(
          rig.topics.all().stream().map(row -> row.id() + row.name().value()).sorted().toList(),
          rig.mailbox().directory().all().stream()
              .map(known -> known.id() + known.name().value())
              .sorted()
              .toList());
      rig.crash();
    }
  }

  @ParameterizedTest
  @EnumSource(Meets.class)
  void aKeyOfATopicWhoseDeletionWasLostIsFree(Meets meets) {
    assertFalse(isDuplicate("orders", "k"));
    int before = topic().id();
    remember();
    delete();
    fallBack(meets);

    assertFalse(isDuplicate("orders", "k"), "its message is gone");
    assertFalse(isDuplicate("orders", "l"));
    assertNotEquals(before, topic().id());
    assertTrue(isDuplicate("orders", "k"));
    assertEquals(2, receiveAll("orders"));
    assertWhole();
  }

  /** Neither a row nor a queue has its id at the start in between, only the logs. */
  @Test
  void theIdOfATopicThatWasDeletedBeforeAStartIsNotGivenAgain() {
    remember();
    assertFalse(isDuplicate("orders", "k"));
    int before = topic().id();
    delete();
    rig.crash();
    fallBack();
    assertFalse(isDuplicate("orders", "l"));
    assertNotEquals(before, topic().id());
    notice();
    assertFalse(isDuplicate("orders", "k"), "its message is gone");
    assertEquals(2, receiveAll("orders"));
    assertWhole();
  }

  /** The sweep has forgotten the ledger's end: its numbers would begin again in the old ledger. */
  @Test
  void aDeletedTopicDoesNotPoisonTheProjection() {
    for (int i = 0; i < 10; i++) {
      assertFalse(isDuplicate("orders", "k" + i));
    }
    remember();
    delete();
    while (rig.mailbox().storedLedgers().sweepDeleted(100) > 0) {}
    fallBack();
    for (int i = 0; i < 10; i++) {
      assertFalse(isDuplicate("orders", "k" + i));
    }
    assertEquals(10, receiveAll("orders"));
    assertWhole();
  }

  @ParameterizedTest
  @EnumSource(Meets.class)
  void aTopicWhoseDeletionWasLostIsGoneOrEmpty(Meets meets) {
    assertFalse(isDuplicate("orders", "k"));
    remember();
    delete();
    fallBack(meets);
    assertWhole();
    assertEquals(meets == Meets.START, rig.mailbox().directory().find(ORDERS).isPresent());
    assertEquals(0, receiveAll("orders"));
  }

  @ParameterizedTest
  @EnumSource(Meets.class)
  void aTopicWhoseMakingWasLostIsThereAgain(Meets meets) {
    remember();
    put(5);
    int id = topic().id();
    for (int i = 0; i < 20; i++) {
      assertFalse(isDuplicate("orders", "k" + i));
    }
    fallBack(meets);

    assertTrue(isDuplicate("orders", "k3"));
    assertEquals(id, topic().id());
    assertEquals(5, topic().state().liveShards());
    assertEquals(20, receiveAll("orders"));
    assertFalse(isDuplicate("orders", "new"));
    assertWhole();
    assertTrue(isDuplicate("orders", "new"));
  }

  /** It was never sent to: no batch names it. */
  @ParameterizedTest
  @EnumSource(Meets.class)
  void anEmptyTopicWhoseMakingWasLostIsThereAgain(Meets meets) {
    remember();
    put(5);
    Topic made = topic();
    fallBack(meets);
    assertEquals(made.id(), topic().id());
    assertEquals(made.id(), rig.topics.find(ORDERS).orElseThrow().id());
    assertEquals(5, rig.topics.find(ORDERS).orElseThrow().state().liveShards());
    assertWhole();
  }

  @ParameterizedTest
  @EnumSource(Meets.class)
  void aTopicThatWasMadeAgainKeepsItsOwnKeys(Meets meets) {
    assertFalse(isDuplicate("orders", "old"));
    assertFalse(isDuplicate("orders", "both"));
    remember();
    delete();
    assertFalse(isDuplicate("orders", "both"));
    int id = topic().id();
    fallBack(meets);

    assertTrue(isDuplicate("orders", "both"));
    assertFalse(isDuplicate("orders", "old"), "its message is gone");
    assertEquals(id, topic().id());
    assertEquals(2, receiveAll("orders"));
    assertWhole();
  }

  /** Its batches are written and swept, and no other topic gets its id. */
  @ParameterizedTest
  @EnumSource(Meets.class)
  void aTopicThatWasMadeAndDeletedIsForgotten(Meets meets) {
    remember();
    assertFalse(isDuplicate("orders", "k"));
    int id = topic().id();
    delete();
    fallBack(meets);
    assertFalse(isDuplicate("refunds", "k"));
    assertFalse(isDuplicate("orders", "k"));
    assertTrue(topic().id() > id);
    rig.run();
    while (rig.mailbox().storedLedgers().sweepDeleted(100) > 0) {}
    assertEquals(1, receiveAll("orders"));
    assertWhole();
    assertTrue(rig.log.heads().keySet().stream().noneMatch(ledger -> ledger.topicId() == id));
  }

  /** A name is used again before the projection has met the older database. */
  @Test
  void anIdThatTheDatabaseWouldGiveAgainIsNotTaken() {
    remember();
    assertFalse(isDuplicate("orders", "k"));
    int id = topic().id();
    fallBack();
    assertFalse(isDuplicate("refunds", "k"));
    assertTrue(rig.mailbox().directory().existing(new TopicName("refunds")).id() > id);
    notice();
    assertEquals(1, receiveAll("refunds"));
    assertEquals(1, receiveAll("orders"));
    assertWhole();
  }

  @ParameterizedTest
  @EnumSource(Meets.class)
  void messagesOfShardsThatWereAddedAreDelivered(Meets meets) {
    put(1);
    remember();
    put(6);
    for (int i = 0; i < 30; i++) {
      assertFalse(isDuplicate("orders", "k" + i));
    }
    fallBack(meets);
    assertEquals(30, receiveAll("orders"));
    for (int i = 0; i < 30; i++) {
      assertTrue(isDuplicate("orders", "k" + i));
    }
    assertEquals(meets == Meets.RUNNING ? 6 : 1, topic().settings().readyShards());
    assertWhole();
  }

  @Test
  void aPauseThatWasLostHolds() {
    assertFalse(isDuplicate("orders", "k"));
    remember();
    rig.operate(() -> rig.mailbox().topicAdmin().pause(rig.caller, ORDERS));
    fallBack(Meets.RUNNING);
    rig.crash();
    assertTrue(rig.mailbox().directory().isPaused(ORDERS));
    assertEquals(0, receiveAll("orders"));
  }

  /** As an earlier version left it: only its id tells a topic from a later one of its name. */
  @Test
  void aTopicOfUnknownIdIsRefusedAndCanBeReadOnceThatIsAccepted() {
    remember();
    assertFalse(isDuplicate("orders", "k"));
    rig.broker.unmark(ORDERS);
    fallBack();
    String refusal =
        String.valueOf(assertThrows(StoresRefusedException.class, rig::crash).getMessage());
    assertTrue(refusal.contains("database-older-"), refusal);
    assertEquals(Optional.empty(), rig.topics.find(ORDERS), "nothing was written");
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.put("mailbox.accept", refusal.substring(refusal.lastIndexOf('=') + 1));
    rig.crashInto(settings);
    assertEquals(1, receiveAll("orders"));
    assertFalse(isDuplicate("orders", "k"));
    assertFalse(isDuplicate("refunds", "k"));
  }
}
