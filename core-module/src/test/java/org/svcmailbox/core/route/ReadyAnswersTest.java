package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.time.TestTime;

/** Questions of other nodes, and their frames. */
class ReadyAnswersTest {
  private static final ReadyKey ORDERS = new ReadyKey(new TopicName("orders"), null);
  private static final ReadyKey MAILS = new ReadyKey(new TopicName("mails"), 3);

  private final TestTime time = new TestTime();
  private final FakeTopics topics = new FakeTopics();
  private final ReadyAnswers answers = new ReadyAnswers(topics, time);

  private CompletableFuture<List<ReadyKey>> ask(long asker, long number, ReadyKey... keys) {
    return answers.answer(new ReadyQuestion(asker, number, List.of(keys)));
  }

  @Test
  void aQuestionWaitsForMessages() {
    CompletableFuture<List<ReadyKey>> answer = ask(7, 1, ORDERS, MAILS);
    assertFalse(answer.isDone());
    topics.report(MAILS);
    assertEquals(List.of(MAILS), answer.join());
  }

  @Test
  void messagesThatAreThereAnswerAtOnce() {
    topics.ready.add(ORDERS);
    assertEquals(List.of(ORDERS), ask(7, 1, ORDERS, MAILS).join());
  }

  @Test
  void aNewerQuestionReplacesOneAndOnlyChangesReachTheWorkers() {
    CompletableFuture<List<ReadyKey>> first = ask(7, 1, ORDERS);
    CompletableFuture<List<ReadyKey>> second = ask(7, 2, ORDERS, MAILS);
    assertEquals(List.of(), first.join());
    assertEquals(List.of(ORDERS, MAILS), topics.asked);
    CompletableFuture<List<ReadyKey>> third = ask(7, 3, MAILS);
    assertEquals(List.of(), second.join());
    assertEquals(1, topics.open(), "the other one is not watched any more");
    topics.report(MAILS);
    assertEquals(List.of(MAILS), third.join());
    assertEquals(0, topics.open());
  }

  @Test
  void aQuestionThatWasOvertakenIsAnsweredWithNothing() {
    CompletableFuture<List<ReadyKey>> newer = ask(7, 2, ORDERS);
    assertEquals(List.of(), ask(7, 1, MAILS).join());
    assertFalse(newer.isDone());
    assertEquals(List.of(ORDERS), topics.asked);
  }

  @Test
  void messagesBetweenTwoQuestionsAreInTheSecondAnswer() {
    CompletableFuture<List<ReadyKey>> first = ask(7, 1, ORDERS, MAILS);
    topics.report(ORDERS);
    topics.report(MAILS);
    assertEquals(List.of(ORDERS), first.join());
    assertEquals(List.of(MAILS), ask(7, 2, MAILS).join());
    assertEquals(List.of(ORDERS, MAILS), topics.asked, "it was watched already");
  }

  @Test
  void oneNodesQuestionReplacesNoOthers() {
    CompletableFuture<List<ReadyKey>> one = ask(7, 1, ORDERS);
    CompletableFuture<List<ReadyKey>> other = ask(8, 1, ORDERS);
    topics.report(ORDERS);
    assertEquals(List.of(ORDERS), one.join());
    assertEquals(List.of(ORDERS), other.join());
  }

  @Test
  void aQuestionEndsBeforeTheNodeGivesUp() throws Exception {
    CompletableFuture<List<ReadyKey>> answer = ask(7, 1, ORDERS);
    long longest = PeerTransport.LONGEST.toMillis();
    assertEquals(List.of(), answer.get(longest, TimeUnit.MILLISECONDS));
    topics.report(ORDERS);
    assertEquals(List.of(ORDERS), ask(7, 2, ORDERS).join());
  }

  @Test
  void nodesThatAreSilentOrTooManyAreForgotten() {
    List<CompletableFuture<List<ReadyKey>>> asked =
        IntStream.rangeClosed(0, ReadyAnswers.MOST_ASKERS)
            .mapToObj(i -> ask(i, 1, ORDERS))
            .toList();
    assertTrue(asked.stream().noneMatch(CompletableFuture::isDone));
    assertEquals(ReadyAnswers.MOST_ASKERS, answers.watched());
    assertEquals(ReadyAnswers.MOST_ASKERS, topics.open());
    time.advance(ReadyAnswers.SILENT.plusMillis(1));
    CompletableFuture<List<ReadyKey>> last = ask(-1, 1, MAILS);
    assertEquals(1, topics.open());
    assertFalse(last.isDone());
  }

  @Test
  void framesComeBackAndDamagedOnesAreRefused() throws MalformedFrameException {
    ReadyQuestion question = new ReadyQuestion(Long.MIN_VALUE, 5, List.of(ORDERS, MAILS));
    byte[] frame = ReadyCodec.encode(question);
    assertEquals(question, ReadyCodec.question(frame));
    assertEquals(List.of(MAILS), ReadyCodec.keys(ReadyCodec.encode(List.of(MAILS))));
    for (int length = 0; length < frame.length; length++) {
      byte[] cut = Arrays.copyOf(frame, length);
      assertThrows(MalformedFrameException.class, () -> ReadyCodec.question(cut));
    }
    assertThrows(MalformedFrameException.class, () -> ReadyCodec.keys(frame));
    assertThrows(
        MalformedFrameException.class,
        () -> ReadyCodec.question(Arrays.copyOf(frame, frame.length + 1)));
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      byte[] damaged = frame.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertEquals(damaged.length, ReadyCodec.encode(ReadyCodec.question(damaged)).length);
      } catch (MalformedFrameException e) {
        // As it should.
      }
    }
  }

  @Test
  void aFrameHasABoundedNumberOfTopics() throws MalformedFrameException {
    List<ReadyKey> most =
        IntStream.range(0, ReadyWatch.MOST_NAMED)
            .mapToObj(i -> new ReadyKey(new TopicName("t".repeat(250) + i), i))
            .toList();
    byte[] frame = ReadyCodec.encode(most);
    assertEquals(most, ReadyCodec.keys(frame));
    List<ReadyKey> more = Stream.concat(most.stream(), List.of(ORDERS).stream()).toList();
    assertThrows(MalformedFrameException.class, () -> ReadyCodec.keys(ReadyCodec.encode(more)));
  }
}
