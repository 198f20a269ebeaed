package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.mailbox.StreamRig.TOPIC;
import static org.svcmailbox.core.mailbox.StreamRig.attempt;
import static org.svcmailbox.core.mailbox.StreamRig.request;
import static org.svcmailbox.core.mailbox.StreamRig.resuming;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldStream;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.mailbox.StreamClient.Beat;
import org.svcmailbox.core.mailbox.StreamClient.Got;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;
import org.svcmailbox.core.stream.StreamService.Door;

class StreamTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SampleCallers people = new SampleCallers();
  private final StreamRig rig = new StreamRig(Map.of("mailbox.ready_shards", "1"));

  private static List<Long> numbers(StreamClient client) {
    return client.got.stream().map(Got::number).toList();
  }

  private static List<Long> upTo(int last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private double metric(String family, String... labels) {
    return rig.rig.mailbox().metrics().stream()
        .filter(one -> one.family().text().equals(family))
        .filter(one -> one.tags().values().containsAll(List.of(labels)))
        .mapToDouble(Metric::now)
        .sum();
  }

  @Test
  void messagesComeAsTheyAreSentAndCountUntilTheyAreSettled() {
    StreamClient client = rig.open(request(3));
    rig.send(0, 5);
    assertEquals(upTo(3), numbers(client));
    assertEquals(Pause.WINDOW, blockedOf(client));
    assertInstanceOf(SettleOutcome.Done.class, rig.ack(client.got.get(1)));
    assertEquals(upTo(4), numbers(client));
    assertEquals(3, metric("stream_unsettled", "http"));
    List.copyOf(client.got).forEach(rig::ack);
    assertEquals(upTo(5), numbers(client));
    assertEquals(5, metric("stream_messages_total", "http"));
    rig.ack(client.got.get(4));
    assertEquals(0, rig.rig.mailbox().limits().inflight());
    assertEquals(0, metric("stream_unsettled", "http"));
  }

  private @Nullable Pause blockedOf(StreamClient client) {
    int before = client.beats.size();
    rig.pass(Duration.ofSeconds(10));
    assertEquals(before + 1, client.beats.size());
    return client.beats.get(before).paused();
  }

  @Test
  void aNackThroughAnyDoorReopensTheWindow() {
    StreamClient client = rig.open(request(1));
    rig.send(0, 1);
    Got first = client.got.get(0);
    rig.rig.nack(first.message().message().envelope().msgId(), null, Duration.ZERO);
    rig.run();
    assertEquals(2, client.got.size());
    assertEquals(2, attempt(client.got.get(1)));
  }

  @Test
  void aMessageThatIsNackedComesBeforeLaterOnes() {
    StreamClient client = rig.open(request(1));
    rig.send(0, 3);
    for (int i = 0; i < 3; i++) {
      Got got = client.got.get(i);
      assertEquals("payload 0", StreamRig.text(got));
      assertEquals(i + 1, attempt(got));
      rig.rig.nack(got.message().message().envelope().msgId(), null, Duration.ZERO);
      rig.run();
    }
  }

  @Test
  void aLeaseThatRunsOutReopensTheWindow() {
    StreamClient client = rig.open(request(1));
    rig.send(0, 1);
    rig.pass(StreamRig.VISIBILITY.plus(SECOND));
    assertEquals(2, client.got.size());
    assertEquals(2, attempt(client.got.get(1)));
  }

  @Test
  void theBytesOfTheWindowAreExceededOnce() {
    StreamClient client = rig.open(request(100, 15, OnClose.KEEP, null));
    rig.send(0, 4);
    assertEquals(2, client.got.size(), "each has nine bytes");
    rig.ack(client.got.get(0));
    assertEquals(3, client.got.size());
  }

  @Test
  void nothingIsLeasedWhileTheOutputIsNotReady() {
    StreamClient client = rig.open(request(10), 0);
    rig.send(0, 3);
    assertEquals(0, rig.rig.mailbox().limits().inflight());
    client.takes(1);
    rig.run();
    assertEquals(1, client.got.size());
  }

  @Test
  void whatTheOutputDoesNotTakeWithinASecondGoesBackUnspent() {
    StreamClient slow = rig.open(request(10), 0);
    rig.send(0, 3);
    slow.takes(1);
    rig.run();
    assertEquals(3, rig.rig.mailbox().limits().inflight());
    rig.pass(SECOND);
    assertEquals(1, rig.rig.mailbox().limits().inflight());
    assertEquals(2, metric("stream_returned_total", "http", "output"));
    StreamClient other = rig.open(request(10));
    assertEquals(List.of(1, 1), other.got.stream().map(StreamRig::attempt).toList());
  }

  @Test
  void aLeaseThatRunsOutUnreadSpendsNoAttempt() {
    StreamRequest brief =
        new StreamRequest(TOPIC, Duration.ofMillis(300), null, 10, 1_000, OnClose.KEEP, null);
    StreamClient slow = rig.open(brief, 0);
    rig.send(0, 2);
    slow.takes(1);
    rig.run();
    rig.pass(Duration.ofMillis(500));
    assertEquals(0, rig.rig.mailbox().limits().inflight());
    StreamClient other = rig.open(request(10));
    assertEquals(
        List.of(2, 1), other.got.stream().map(StreamRig::attempt).toList(), "read and unread");
  }

  @Test
  void aClientThatReadsNothingIsSlow() {
    StreamClient slow = rig.open(request(10), 1);
    rig.send(0, 2);
    rig.pass(Duration.ofSeconds(29));
    assertEquals(List.of(), slow.ends);
    rig.pass(SECOND.multipliedBy(2));
    assertEquals(List.of(StreamEnd.SLOW), slow.ends);
    assertEquals(0, metric("stream_open"));
    assertEquals(1, metric("stream_closed_total", "slow"));
  }

  @Test
  void aFullMemoryOfAllOutputsPausesAStreamAndEndsNone() {
    StreamClient client = new StreamClient();
    client.hasRoom = false;
    rig.open(SampleCallers.OPERATOR, request(10), client);
    rig.send(0, 2);
    rig.pass(Duration.ofSeconds(40));
    assertEquals(List.of(), client.ends);
    assertEquals(0, rig.rig.mailbox().limits().inflight());
    assertEquals(new Beat(0, Pause.BOUND), client.beats.get(0));
    client.hasRoom = true;
    rig.pass(Duration.ofMillis(250));
    assertEquals(List.of(1, 1), client.got.stream().map(StreamRig::attempt).toList());
  }

  @Test
  void aSilentStreamHasAHeartbeat() {
    StreamClient client = rig.open(request(10));
    rig.pass(Duration.ofSeconds(30));
    assertEquals(List.of(new Beat(0, null), new Beat(0, null), new Beat(0, null)), client.beats);
    rig.send(0, 1);
    rig.pass(Duration.ofSeconds(9));
    assertEquals(3, client.beats.size(), "the message was a sign of life");
    rig.pass(SECOND);
    assertEquals(new Beat(1, null), client.beats.get(3));
  }

  @Test
  void aCutStreamIsResumedWithoutSpendingAttempts() {
    StreamClient before = rig.open(request(100));
    rig.send(0, 4);
    rig.ack(before.got.get(0));
    before.stream().cut();
    rig.run();
    StreamClient after = rig.open(resuming(before, 2));
    assertEquals(List.of(3L, 4L), numbers(after));
    assertEquals(List.of(1, 1), after.got.stream().map(StreamRig::attempt).toList());
    assertEquals(2, metric("stream_returned_total", "http", "resume"));
    assertInstanceOf(SettleOutcome.Done.class, rig.ack(before.got.get(1)));
    List.copyOf(after.got).forEach(got -> assertInstanceOf(SettleOutcome.Done.class, rig.ack(got)));
    assertEquals(0, rig.rig.broker.everything().size());
  }

  @Test
  void aResumedStreamTakesAnOpenOneOver() {
    StreamClient before = rig.open(request(2));
    rig.send(0, 3);
    StreamClient after = rig.open(resuming(before, 2));
    assertEquals(List.of(StreamEnd.RESUMED), before.ends);
    assertEquals(List.of(3L), numbers(after));
    assertEquals(1, metric("stream_open"));
    assertEquals(3, rig.rig.mailbox().limits().inflight());
  }

  @Test
  void aStreamIsResumedOnceAndInTimeByItsOwnCapability() {
    StreamClient before = rig.open(people.caller(1), request(100));
    before.stream().cut();
    assertThrows(NotFoundException.class, () -> rig.open(people.caller(2), resuming(before, 0)));
    StreamClient after = rig.open(people.caller(1, "ops = recv"), resuming(before, 0));
    assertThrows(NotFoundException.class, () -> rig.open(people.caller(1), resuming(before, 0)));
    after.stream().cut();
    rig.pass(Duration.ofSeconds(30));
    assertThrows(NotFoundException.class, () -> rig.open(people.caller(1), resuming(after, 0)));
    assertEquals(0, metric("stream_open"));
  }

  @Test
  void withoutResumingTheLeasesRunOut() {
    StreamClient before = rig.open(request(100));
    rig.send(0, 1);
    before.stream().cut();
    StreamClient after = rig.open(request(100));
    assertEquals(List.of(), after.got);
    rig.pass(StreamRig.VISIBILITY.plus(SECOND));
    assertEquals(2, attempt(after.got.get(0)));
  }

  @Test
  void aStreamThatNacksOnCloseFailsItsMessagesAtOnce() {
    StreamClient before =
        rig.open(request(100, StreamRequest.DEFAULT_WINDOW_BYTES, OnClose.NACK, null));
    rig.send(0, 1);
    before.stream().cut();
    rig.run();
    StreamClient after = rig.open(request(100));
    assertEquals(2, attempt(after.got.get(0)));
    assertEquals("the stream was cut", after.got.get(0).message().message().nackReason());
    assertThrows(NotFoundException.class, () -> rig.open(resuming(before, 0)));
  }

  @Test
  void anOldStreamEndsAndItsMessagesCanStillBeSettled() {
    StreamClient client = rig.open(request(100));
    rig.pass(Duration.ofMinutes(26));
    assertEquals(List.of(), client.ends);
    rig.send(0, 1);
    rig.pass(Duration.ofSeconds(50));
    rig.ack(client.got.get(0));
    rig.pass(Duration.ofMinutes(7));
    assertEquals(List.of(StreamEnd.AGE), client.ends);
    rig.send(1, 1);
    assertEquals(1, client.got.size());
  }

  @Test
  void aStreamEndsWithTheCallOfItsClient() {
    StreamClient client = rig.open(request(100).lasting(SECOND.multipliedBy(5)));
    rig.pass(Duration.ofMillis(4_750));
    assertEquals(List.of(), client.ends);
    rig.pass(Duration.ofMillis(250));
    assertEquals(List.of(StreamEnd.DEADLINE), client.ends);
  }

  @Test
  void aClientThatNeedsNoMoreSettlesWhatItHas() {
    StreamClient client = rig.open(request(100));
    rig.send(0, 1);
    client.stream().close();
    assertEquals(List.of(StreamEnd.CLOSED), client.ends);
    rig.send(1, 1);
    assertEquals(1, client.got.size());
    assertInstanceOf(SettleOutcome.Done.class, rig.ack(client.got.get(0)));
    assertEquals(0, rig.rig.mailbox().limits().inflight());
  }

  @Test
  void aClientOfGrpcGetsWhatItGrants() {
    StreamClient client = new StreamClient();
    client.opened(
        rig.rig.mailbox().streams().open(SampleCallers.OPERATOR, request(100), Door.GRPC, client));
    rig.add(client);
    rig.send(0, 5);
    assertEquals(0, rig.rig.mailbox().limits().inflight());
    client.stream().credit(2, 1_000);
    rig.run();
    assertEquals(2, client.got.size());
    assertEquals(Pause.CREDIT, blockedOf(client));
    client.stream().credit(2, 0);
    rig.run();
    assertEquals(4, client.got.size());
    assertEquals(4, metric("stream_messages_total", "grpc"));
  }

  @Test
  void operatorsSeeWhoHoldsStreams() {
    HoldingService holdings = rig.rig.holdings();
    Caller caller = people.caller(1, "ops = recv");
    StreamClient first = rig.open(request(1));
    rig.send(0, 2);
    rig.pass(SECOND);
    StreamClient second = rig.open(caller, request(100));
    List<HeldStream> held = holdings.streams(SampleCallers.OPERATOR);
    assertEquals(List.of("window", "none"), held.stream().map(StreamTest::paused).toList());
    assertEquals(List.of(1, 1), held.stream().map(HeldStream::unsettled).toList());
    assertEquals(caller.capability().id().nonce(), held.get(1).capability());
    assertEquals(SECOND, Duration.between(held.get(0).since(), held.get(1).since()));
    assertEquals("http", held.get(0).door());
    assertThrows(DeniedException.class, () -> holdings.streams(caller));
    first.stream().cut();
    second.stream().cut();
    assertEquals(List.of(), holdings.streams(SampleCallers.OPERATOR));
  }

  private static String paused(HeldStream held) {
    return held.paused() == null ? "none" : held.paused();
  }

  @Test
  void aRevokedCapabilityEndsTheStreamWithItsReason() {
    Caller caller = people.caller(1);
    StreamClient client = rig.open(caller, request(100));
    people.revoke(caller);
    rig.pass(SECOND.plusMillis(500));
    assertEquals(List.of(StreamEnd.CAPABILITY), client.ends);
    assertEquals("revoked", client.why == null ? null : client.why.reason());
  }

  @Test
  void aDeletedTopicEndsTheStreamAndIsNotMadeAgain() {
    StreamClient client = rig.open(request(100));
    rig.rig.administer(() -> rig.rig.mailbox().topicAdmin().delete(SampleCallers.OPERATOR, TOPIC));
    rig.pass(SECOND.multipliedBy(2));
    assertEquals(List.of(StreamEnd.TOPIC), client.ends);
    assertNull(client.why);
    assertTrue(rig.rig.mailbox().directory().find(TOPIC).isEmpty());
  }

  @Test
  void aPausedTopicIsToldByTheHeartbeat() {
    StreamClient client = rig.open(request(100));
    rig.rig.administer(() -> rig.rig.mailbox().directory().pause(TOPIC, true));
    assertEquals(Pause.TOPIC, blockedOf(client));
  }

  @Test
  void aServiceThatStopsEndsItsStreamsAndOpensNone() {
    StreamClient client = rig.open(request(100));
    rig.rig.mailbox().stopIntake();
    rig.pass(Duration.ofMillis(250));
    assertEquals(List.of(StreamEnd.DRAIN), client.ends);
    assertThrows(UnavailableException.class, () -> rig.open(request(100)));
  }

  @Test
  void openingNeedsTheRights() {
    Caller receiver = people.caller(1, "ops = recv");
    rig.open(receiver, request(1));
    assertThrows(
        DeniedException.class, () -> rig.open(receiver, request(1, 10, OnClose.NACK, null)));
    assertThrows(DeniedException.class, () -> rig.open(people.caller(2, "ops = send"), request(1)));
  }

  @Test
  void badRequestsAreRefusedBeforeTheStreamOpens() {
    assertThrows(SchemaException.class, () -> request(0));
    assertThrows(SchemaException.class, () -> request(1_001));
    assertThrows(SchemaException.class, () -> request(1, 0, OnClose.KEEP, null));
    assertThrows(SchemaException.class, () -> request(1, (8 << 20) + 1, OnClose.KEEP, null));
    StreamRequest short1 =
        new StreamRequest(TOPIC, Duration.ofMillis(1), null, 1, 1, OnClose.KEEP, null);
    assertThrows(SchemaException.class, () -> rig.open(short1));
    StreamRequest noShard = new StreamRequest(TOPIC, null, 7, 1, 1, OnClose.KEEP, null);
    assertThrows(NotFoundException.class, () -> rig.open(noShard));
    StreamRequest unknown = request(1, 1, OnClose.KEEP, new Resume("unknown", 0));
    assertThrows(NotFoundException.class, () -> rig.open(unknown));
    assertEquals(0, metric("stream_open"));
    assertEquals(0, metric("bound_used", "streams"));
  }

  /** A client stops with messages that it has not begun with. */
  @Test
  void aWindowOfNothingGivesBackAndLeasesNothing() {
    StreamClient client = rig.open(request(10));
    rig.send(0, 3);
    StreamClient back = rig.open(request(0, 1, OnClose.KEEP, new Resume(client.stream().id(), 1)));
    assertEquals(1, rig.rig.mailbox().limits().inflight(), "the one that it has");
    rig.ack(client.got.get(0));
    assertEquals(List.of(), back.got);
    StreamClient other = rig.open(request(10));
    assertEquals(List.of(1, 1), other.got.stream().map(StreamRig::attempt).toList());
  }

  @Test
  void aCeilingOfLeasesPausesTheStream() {
    StreamClient client = rig.open(people.caller(1, "max_inflight = 2"), request(100));
    rig.send(0, 3);
    assertEquals(2, client.got.size());
    assertEquals(Pause.BOUND, blockedOf(client));
    rig.ack(client.got.get(0));
    rig.pass(SECOND.multipliedBy(2));
    assertEquals(3, client.got.size());
  }

  @Test
  void streamsHaveABoundAndGiveTheirPlacesBack() {
    StreamRig few = new StreamRig(Map.of("mailbox.streams", "2"));
    StreamClient first = few.open(request(1));
    StreamClient second = few.open(request(1));
    SaturatedException full = assertThrows(SaturatedException.class, () -> few.open(request(1)));
    assertEquals("streams", full.reason());
    first.stream().cut();
    few.open(request(1));
    StreamClient resumed = few.open(resuming(second, 0));
    assertEquals(List.of(), resumed.ends, "it has the place of the one before");
  }

  @Test
  void streamsHoldHalfOfAllLeases() {
    StreamRig small =
        new StreamRig(Map.of("mailbox.global_inflight", "6", "mailbox.ready_shards", "1"));
    StreamClient client = small.open(request(100));
    small.send(0, 5);
    assertEquals(3, client.got.size());
    small.ack(client.got.get(0));
    small.pass(Duration.ofSeconds(5));
    assertEquals(4, client.got.size());
  }
}
