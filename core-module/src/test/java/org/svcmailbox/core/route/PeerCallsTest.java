package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

class PeerCallsTest {
  private final TestTime time = new TestTime();
  private final FakeMailbox local = new FakeMailbox();
  private @Nullable RuntimeException refusal;
  private @Nullable InetAddress address;
  private final FakeTopics ready = new FakeTopics();
  private final PeerCalls peer =
      new PeerCalls(
          local,
          ready,
          (token, client) -> {
            RuntimeException why = refusal;
            if (why != null) {
              throw why;
            }
            address = client;
            return new SampleCallers().holder(token);
          },
          time);

  private static ForwardedCall call(PeerCall call) {
    return new ForwardedCall(
        SampleCallers.OPERATOR.token(),
        InetAddress.getLoopbackAddress(),
        Duration.ofSeconds(1),
        call);
  }

  private static PeerCall recv(long id, int most) {
    return new PeerCall.Recv(
        new RecvId(0, id),
        new RecvRequest(new TopicName("orders"), null, most, Long.MAX_VALUE, Duration.ZERO, null));
  }

  private static PeerCall ack() {
    return new PeerCall.Settle(new SettleRequest.Ack(new MsgId(1, 2), null));
  }

  @Test
  void aQuestionAboutGroupsIsRefusedAmongCalls() throws MalformedFrameException {
    PeerCall ask = new PeerCall.Ask(Set.of(1), new GroupTask.Purge(new TopicName("orders")));
    PeerAnswer.Thrown thrown =
        assertInstanceOf(PeerAnswer.Thrown.class, read(carryOut(ask)).get(0));
    assertEquals(Problem.E_SCHEMA, thrown.problem());
  }

  private static LeasedMessage leased(int bytes) {
    LeasedMessage sample = new RandomFrames(1).leased();
    StoredMessage message =
        new StoredMessage(
            sample.message().envelope(),
            Payload.owning(new byte[bytes]),
            null,
            Instant.EPOCH,
            null);
    return new LeasedMessage(message, sample.receipt(), sample.visibility());
  }

  private PeerService.Answers carryOut(PeerCall... calls) {
    return peer.carryOut(Stream.of(calls).map(PeerCallsTest::call).toList())
        .toCompletableFuture()
        .join();
  }

  private static List<PeerAnswer> read(PeerService.Answers answers) throws MalformedFrameException {
    return PeerCodec.answers(answers.frame());
  }

  private PeerAnswer only(PeerCall call) throws MalformedFrameException {
    List<PeerAnswer> answers = read(carryOut(call));
    assertEquals(1, answers.size());
    return answers.get(0);
  }

  @Test
  void eachCallIsItsClients() throws MalformedFrameException {
    local.settled.complete(SettleOutcome.DONE);
    assertEquals(new PeerAnswer.Settled(SettleOutcome.DONE), only(ack()));
    assertEquals(SampleCallers.OPERATOR.token(), local.callers.get(0).token());
    assertEquals(InetAddress.getLoopbackAddress(), address);
  }

  @Test
  void answersAreInTheOrderOfTheirCalls() throws MalformedFrameException {
    local.settled.complete(SettleOutcome.UNKNOWN);
    assertEquals(
        List.of(
            new PeerAnswer.Settled(SettleOutcome.UNKNOWN),
            new PeerAnswer.Received(Delivered.NONE),
            new PeerAnswer.GivenBack()),
        read(carryOut(ack(), recv(1, 1), new PeerCall.GiveBack(new RecvId(1, 1)))));
  }

  /** Other calls of the frame go on. */
  @Test
  void exceptionsBecomeAnswers() throws MalformedFrameException {
    List<FieldViolation> violations = List.of(new FieldViolation("shard", "is wrong"));
    refusal = new SchemaException(violations);
    assertEquals(
        new PeerAnswer.Thrown(Problem.E_SCHEMA, "shard: is wrong", violations), only(ack()));
    refusal = new NotFoundException("there is no topic t");
    assertEquals(
        new PeerAnswer.Thrown(Problem.E_NOT_FOUND, "there is no topic t", List.of()), only(ack()));
    refusal = new SaturatedException("topics_max", "full", Duration.ofSeconds(9));
    assertEquals(
        new PeerAnswer.Refused(
            new Refusal(Problem.E_SATURATED, "topics_max", "full", Duration.ofSeconds(9))),
        only(ack()));
    refusal = new UnavailableException("away");
    assertEquals(
        new PeerAnswer.Refused(
            new Refusal(Problem.E_UNAVAILABLE, "unavailable", "away", Duration.ofSeconds(1))),
        only(ack()));
    refusal = new IllegalStateException("a secret");
    assertEquals(
        new PeerAnswer.Thrown(Problem.E_INTERNAL, "its log has the failure", List.of()),
        only(ack()));
    refusal = null;
    local.settled.completeExceptionally(new NotFoundException("gone"));
    assertEquals(new PeerAnswer.Thrown(Problem.E_NOT_FOUND, "gone", List.of()), only(ack()));
    assertEquals(List.of(), local.recvs);
  }

  @Test
  void leasesAreGivenBackOnce() throws MalformedFrameException {
    local.received = new Delivered(List.of(leased(10)));
    assertEquals(2, read(carryOut(recv(1, 1), recv(2, 1))).size());
    carryOut(new PeerCall.GiveBack(new RecvId(0, 1)));
    assertTrue(local.recvs.get(0).isAbandoned);
    assertFalse(local.recvs.get(1).isAbandoned);
  }

  /** The give-back overtakes the call, which its node believes lost. */
  @Test
  void aGiveBackThatComesFirstCounts() throws MalformedFrameException {
    local.received = new Delivered(List.of(leased(10)));
    carryOut(new PeerCall.GiveBack(new RecvId(0, 1)));
    assertEquals(new PeerAnswer.Received(Delivered.NONE), only(recv(1, 1)));
    assertTrue(local.recvs.get(0).isAbandoned);
  }

  @Test
  void leasesOfAFrameThatDoesNotLeaveGoBack() {
    local.received = new Delivered(List.of(leased(10)));
    PeerService.Answers answers = carryOut(recv(1, 1), recv(2, 1));
    answers.unsent();
    assertTrue(local.recvs.stream().allMatch(one -> one.isAbandoned));
  }

  @Test
  void recvsOfAFrameShareAMebibyte() {
    PeerService.Answers unused = carryOut(recv(1, 1), recv(2, 1), recv(3, 1), recv(4, 1));
    local.recvs.forEach(one -> assertEquals(PeerCodec.FULL / 4, one.request.maxBytes()));
  }

  /** A single message may be larger than its call's share. */
  @Test
  void messagesThatDoNotFitIntoTheFrameGoBack() throws MalformedFrameException {
    local.received = new Delivered(List.of(leased(PeerCodec.FULL)));
    List<PeerAnswer> answers = read(carryOut(recv(1, 1), recv(2, 1)));
    assertEquals(
        local.received, assertInstanceOf(PeerAnswer.Received.class, answers.get(0)).outcome());
    assertEquals(new PeerAnswer.Received(Delivered.NONE), answers.get(1));
    assertFalse(local.recvs.get(0).isAbandoned);
    assertTrue(local.recvs.get(1).isAbandoned);
  }

  @Test
  void answeredRecvsAreBoundedInNumberBytesAndTime() {
    AnsweredRecvs kept = new AnsweredRecvs(time);
    FakeMailbox.Recv recv = new FakeMailbox.Recv(((PeerCall.Recv) recv(0, 1)).request());
    for (int i = 0; i <= AnsweredRecvs.MOST; i++) {
      assertTrue(kept.add(new RecvId(1, i), recv, 1));
    }
    assertEquals(AnsweredRecvs.MOST, kept.size());
    assertEquals(new RecvId(1, 1), kept.ids().get(0));
    assertTrue(kept.add(new RecvId(2, 0), recv, AnsweredRecvs.MOST_BYTES));
    assertEquals(List.of(new RecvId(2, 0)), kept.ids());
    assertTrue(kept.add(new RecvId(2, 1), recv, 0));
    time.advance(AnsweredRecvs.KEPT.minusNanos(1));
    assertTrue(kept.add(new RecvId(2, 2), recv, 0));
    assertEquals(3, kept.size());
    time.advance(Duration.ofNanos(1));
    assertTrue(kept.add(new RecvId(2, 3), recv, 0));
    assertEquals(List.of(new RecvId(2, 2), new RecvId(2, 3)), kept.ids());
  }

  @Test
  void aForgedTokenChangesNothing() throws MalformedFrameException {
    ForwardedCall forged = new ForwardedCall(new BearerToken("forged"), null, Duration.ZERO, ack());
    PeerAnswer answer =
        read(peer.carryOut(Collections.nCopies(1, forged)).toCompletableFuture().join()).get(0);
    assertInstanceOf(PeerAnswer.Thrown.class, answer);
    assertEquals(List.of(), local.calls);
  }
}
