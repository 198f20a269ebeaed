package org.svcmailbox.core.worker.send;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.WorkerScene;

class SendStageTest {
  private final WorkerScene scene = new WorkerScene();
  private final GroupLogs log =
      new GroupLogs(
          scene.context,
          new BatchLogPorts(
              scene.registry,
              GroupsHere.all(Groups.ofWorkers(1)),
              new BatchLog.Window(64, 1 << 20),
              7));
  private final SendStage stage = new SendStage(scene.context, scene.registry, log);

  /** The only dead letter, where a SEND with a letter looks for it. */
  private final LetterAddress letter = new LetterAddress(scene.topic.name(), 0, 1);

  private final StoredMessage dead = scene.message();

  @BeforeEach
  void open() {
    log.opened();
    log.takeOver();
  }

  private void bury() {
    scene.put(dead);
    scene
        .context
        .session()
        .quarantine(
            scene.fetch(),
            new Quarantine(DeadLetterReason.REJECTED, 1, "no"),
            scene.time.instant().plus(Duration.ofDays(1)));
    scene.commit();
    assertTrue(isThere());
  }

  private boolean isThere() {
    return scene.broker.letterPositions(scene.topic.name()).containsKey(1L);
  }

  private Send send(String key) {
    return SampleSends.send(scene.topic, key, "x", null, null);
  }

  private Send redriven(String key, String payload) {
    return SampleSends.send(scene.topic, key, payload, dead.envelope().msgId(), null);
  }

  private void step(Send... sends) {
    stage.stage(List.of(sends));
    scene.commit();
    stage.onCommit();
  }

  private static SendOutcome answer(Send send) {
    return requireNonNull(send.reply().getNow(null), "no answer");
  }

  private static MsgId accepted(Send send) {
    Accepted accepted = assertInstanceOf(Accepted.class, answer(send));
    assertFalse(accepted.duplicate());
    return accepted.msgId();
  }

  private static void assertRefused(String reason, Send send) {
    assertEquals(reason, assertInstanceOf(Refusal.class, answer(send)).reason());
  }

  private Set<MsgId> queued() {
    return scene.broker.everything().keySet();
  }

  @Test
  void anAnswerWaitsForTheCommit() {
    Send send = send("k");
    stage.stage(List.of(send));
    assertNull(send.reply().getNow(null));
    scene.commit();
    assertEquals(Set.of(accepted(send)), queued());
  }

  @Test
  void aLettersMessageTakesThePlaceOfTheLetter() {
    bury();
    Send send = redriven("k", "x");
    step(send);
    assertEquals(Set.of(accepted(send)), queued());
    assertFalse(isThere());
  }

  @Test
  void aLetterThatIsGoneRefusesItsSendAndNoOther() {
    Send gone = redriven("k", "x");
    Send other = send("l");
    step(gone, other);
    assertRefused("letter_away", gone);
    assertEquals(Set.of(accepted(other)), queued());
  }

  @Test
  void aLetterThatIsHeldElsewhereStays() {
    bury();
    assertTrue(scene.broker.holdLetter(letter));
    Send send = redriven("k", "x");
    step(send);
    assertRefused("letter_away", send);
    assertEquals(Set.of(), queued());
    scene.broker.releaseLetter(letter);
    step(redriven("k", "x"));
    assertFalse(isThere());
  }

  /** A message with its key exists already, with another payload. */
  @Test
  void aLetterWhoseSendIsNotAcceptedCanBeTakenByOthersAfterTheStep() {
    step(send("k"));
    bury();
    Send send = redriven("k", "other");
    stage.stage(List.of(send));
    assertFalse(scene.broker.holdLetter(letter), "until the step ends");
    scene.commit();
    stage.onCommit();
    assertInstanceOf(SendOutcome.KeyConflict.class, answer(send));
    assertTrue(isThere());
    assertTrue(scene.broker.holdLetter(letter));
  }

  @Test
  void aShardWithoutItsQueueRefusesItsSends() {
    scene.broker.deleteQueue(scene.topic.shard(0));
    Send send = send("k");
    step(send);
    assertRefused("queue_missing", send);
  }

  @Test
  void nothingIsSentWhileAnEarlierOutcomeIsUnknown() {
    scene.open();
    scene.broker.holdLogs(true);
    log.opened();
    log.takeOver();
    Send send = send("k");
    step(send);
    assertRefused("settling", send);
    assertEquals(Set.of(), queued());
  }

  /** The broker said just before that the queue is empty. */
  @Test
  void aShardThatGotAMessageIsNoLongerKnownToBeEmpty() {
    long now = scene.time.nanos();
    scene.shard().emptyUntil(now + 1);
    assertTrue(scene.shard().isKnownEmpty(now));
    step(send("k"));
    assertFalse(scene.shard().isKnownEmpty(now));
  }

  @Test
  void theMessagesOfAStepAreCounted() {
    step(send("k"), send("l"), send("k"));
    assertEquals(2, scene.shard().counters().depth());
    assertEquals(2, scene.limits.keys().total().count(), "one was a duplicate");
  }
}
