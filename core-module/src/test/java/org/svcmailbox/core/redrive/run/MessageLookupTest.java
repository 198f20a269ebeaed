package org.svcmailbox.core.redrive.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.redrive.run.RedriveWorld.ORDERS;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.Biography;
import org.svcmailbox.core.lookup.Fact;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.lookup.LookupService.Match;
import org.svcmailbox.core.lookup.LookupService.Source;
import org.svcmailbox.core.lookup.Whereabouts;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.JobAction;

/** A message is found wherever it is. */
class MessageLookupTest {
  private final RedriveWorld world = new RedriveWorld(Map.of());
  private final LookupService lookup = world.lookup();
  private final SampleCallers people = new SampleCallers();

  @AfterEach
  void end() {
    world.close();
  }

  private Biography find(MsgId msgId) {
    return lookup.biography(SampleCallers.OPERATOR, msgId);
  }

  private static List<Fact.Kind> kinds(Biography told) {
    return told.facts().stream().map(Fact::kind).toList();
  }

  private static Fact last(Biography told) {
    return told.facts().get(told.facts().size() - 1);
  }

  private static void isAt(Whereabouts where, Biography told) {
    assertEquals(where, told.now(), told::toString);
    assertTrue(told.isComplete(), told::toString);
    assertEquals(ORDERS, told.topic());
    assertNotNull(told.shard());
    assertEquals(Fact.Kind.SENT, told.facts().get(0).kind());
    assertEquals(Fact.Kind.LEDGER, told.facts().get(1).kind(), told::toString);
  }

  private MsgId send(String key, Duration delay, String corrId) {
    SendRequest request =
        new SendRequest(
            ORDERS,
            Payload.owning(key.getBytes(UTF_8)),
            new IdemKey(key),
            Attributes.NONE,
            new CorrId(corrId),
            null,
            delay,
            null);
    SendOutcome outcome = world.mailbox().send(world.caller, request).toCompletableFuture().join();
    return ((SendOutcome.Accepted) outcome).msgId();
  }

  @Test
  void aMessageIsFoundInEachOfItsPlaces() {
    MsgId later = send("later", Duration.ofHours(1), "c");
    isAt(Whereabouts.SCHEDULED, find(later));
    Instant due = requireNonNull(find(later).until());
    assertTrue(due.isAfter(Instant.now().plusSeconds(3_000)));

    MsgId msgId = world.send(ORDERS, "k");
    Biography ready = find(msgId);
    isAt(Whereabouts.READY, ready);
    assertTrue(ready.facts().get(0).recorded());

    world.receive(ORDERS, 1);
    Biography leased = find(msgId);
    isAt(Whereabouts.LEASED, leased);
    assertEquals(world.caller.capability().id().nonce(), last(leased).by());
    assertEquals(1, last(leased).attempt());
    assertNotNull(leased.until());

    world
        .mailbox()
        .settle(world.caller, new SettleRequest.Ack(msgId, null))
        .toCompletableFuture()
        .join();
    Biography gone = find(msgId);
    isAt(Whereabouts.GONE, gone);
    assertEquals(
        List.of(Fact.Kind.SENT, Fact.Kind.LEDGER, Fact.Kind.ACKED, Fact.Kind.GONE), kinds(gone));
    assertTrue(gone.facts().get(2).recorded());
  }

  @Test
  void aDeadMessageTellsItsHistoryAlsoOnceItIsRedriven() {
    MsgId msgId = world.die(ORDERS, 1, "boom").get(0);
    Biography dead = find(msgId);
    isAt(Whereabouts.DEAD, dead);
    assertTrue(last(dead).note().contains("boom"), dead::toString);
    assertTrue(kinds(dead).contains(Fact.Kind.NACKED));

    world.finish(world.start(JobAction.REDRIVE, LetterFilter.ALL, null).id());
    Biography again = find(msgId);
    isAt(Whereabouts.READY, again);
    assertTrue(kinds(again).contains(Fact.Kind.REPROCESSED), again::toString);
  }

  @Test
  void aRowWithoutItsLetterIsNoVerdict() {
    MsgId msgId = world.die(ORDERS, 1, "boom").get(0);
    List<DeadLetter> rows = world.letters.browse(ORDERS, 0);
    world.finish(world.start(JobAction.DISCARD, LetterFilter.ALL, null).id());
    isAt(Whereabouts.GONE, find(msgId));
    world.index.add(rows);
    Biography told = find(msgId);
    assertEquals(Whereabouts.UNKNOWN, told.now(), told::toString);
    assertFalse(told.isComplete());
  }

  @Test
  void aPurgedMessageIsGoneByInference() {
    MsgId msgId = world.send(ORDERS, "k");
    world.mailbox().topicContents().purge(world.caller, ORDERS);
    Biography gone = find(msgId);
    isAt(Whereabouts.GONE, gone);
    assertFalse(last(gone).recorded());
    assertFalse(gone.facts().get(0).recorded());
  }

  @Test
  void whatNeverWasIsNotFound() {
    MsgId sent = world.send(ORDERS, "k");
    MsgId other = MsgId.create(sent.slot(), sent.createdAt());
    assertThrows(NotFoundException.class, () -> find(other));
    MsgId noShard = MsgId.create((sent.slot() + 1) % MsgId.SLOTS, sent.createdAt());
    assertThrows(NotFoundException.class, () -> find(noShard));
  }

  @Test
  void aTopicThatTheCallerMayNotSeeDoesNotExist() {
    MsgId ready = world.send(ORDERS, "k");
    MsgId dead = world.die(ORDERS, 1, "boom").get(0);
    Caller elsewhere = people.caller(1, "topic = elsewhere");
    Caller blind = people.caller(2, "ops = recv,dlq.view,admin");
    Caller narrow = people.caller(3, "ops = peek", "topic = orders");
    for (MsgId msgId : List.of(ready, dead)) {
      assertThrows(NotFoundException.class, () -> lookup.biography(elsewhere, msgId));
      assertThrows(DeniedException.class, () -> lookup.biography(blind, msgId));
    }
    Biography told = lookup.biography(narrow, dead);
    isAt(Whereabouts.DEAD, told);
    told.facts().stream()
        .filter(fact -> fact.kind() != Fact.Kind.LEDGER)
        .forEach(
            fact -> {
              assertNull(fact.by());
              assertEquals("", fact.note());
            });
  }

  @Test
  void aCallerOfOtherTopicsIsToldNothingOfTheBrokerEither() {
    MsgId msgId = world.send(ORDERS, "k");
    Caller elsewhere = people.caller(1, "topic = elsewhere");
    world.broker.unsorted(() -> true);
    assertThrows(NotFoundException.class, () -> lookup.biography(elsewhere, msgId));
    world.broker.unsorted(() -> false);
    world.broker.goDown();
    assertThrows(NotFoundException.class, () -> lookup.biography(elsewhere, msgId));
    world.broker.comeBack();
  }

  @Test
  void theTopicOfAGoneMessageDecidesWhoReadsItsHolder() {
    MsgId msgId = world.send(ORDERS, "k");
    world.receive(ORDERS, 1);
    world
        .mailbox()
        .settle(world.caller, new SettleRequest.Ack(msgId, null))
        .toCompletableFuture()
        .join();
    String holder = world.caller.capability().id().nonce();
    world.names = nonces -> Map.of(holder, "shop 7");
    Caller auditor = people.caller(1, "ops = peek,audit", "topic = orders");
    Caller other = people.caller(2, "ops = peek", "topic = orders");
    Biography told = world.lookup().biography(auditor, msgId);
    assertEquals(holder, told.facts().get(2).by());
    assertEquals(Map.of(holder, "shop 7"), told.names());
    assertNull(lookup.biography(other, msgId).facts().get(2).by());
    world.names =
        nonces -> {
          throw new UnavailableException("no database");
        };
    assertEquals(Map.of(), world.lookup().biography(auditor, msgId).names());
  }

  @Test
  void nothingIsSaidAboutAnIdThatWasSeenNowhere() {
    MsgId sent = world.send(ORDERS, "k");
    world.broker.goDown();
    Biography told = find(MsgId.create(sent.slot(), sent.createdAt()));
    assertEquals(Whereabouts.UNKNOWN, told.now());
    assertEquals(List.of(), told.facts());
    assertNull(told.topic());
    world.broker.comeBack();
  }

  @Test
  void noMessageIsGoneWhileTheBrokerHasUnsortedOnes() {
    MsgId msgId = world.send(ORDERS, "k");
    world.mailbox().topicContents().purge(world.caller, ORDERS);
    world.broker.unsorted(() -> true);
    Biography told = find(msgId);
    assertEquals(Whereabouts.UNKNOWN, told.now(), told::toString);
    assertFalse(told.isComplete());
    world.broker.unsorted(() -> false);
    isAt(Whereabouts.GONE, find(msgId));
  }

  @Test
  void withoutTheBrokerNothingIsInferred() {
    MsgId msgId = world.send(ORDERS, "k");
    world.broker.goDown();
    Biography told = find(msgId);
    assertEquals(Whereabouts.UNKNOWN, told.now(), told::toString);
    assertFalse(told.isComplete());
    assertEquals(Fact.Kind.LEDGER, last(told).kind());
    world.broker.comeBack();
  }

  @Test
  void aKeyLeadsToItsMessageAndToLettersThatHadIt() {
    MsgId dead = send("k", Duration.ZERO, "c-1");
    world.receive(ORDERS, 1);
    world.nack(List.of(dead));
    LookupService.Matches byKey = lookup.byKey(SampleCallers.OPERATOR, ORDERS, new IdemKey("k"));
    assertEquals(List.of(dead), byKey.messages().stream().map(Match::msgId).toList());
    assertEquals(Source.KEY, byKey.messages().get(0).source());
    assertEquals(last(find(dead)).at(), byKey.messages().get(0).deadAt());
    assertTrue(byKey.isComplete());
    LookupService.Matches byCorrId =
        lookup.byCorrId(SampleCallers.OPERATOR, ORDERS, new CorrId("c-1"));
    assertEquals(List.of(dead), byCorrId.messages().stream().map(Match::msgId).toList());
    assertEquals(Source.LETTER, byCorrId.messages().get(0).source());
    assertEquals(
        List.of(), lookup.byKey(SampleCallers.OPERATOR, ORDERS, new IdemKey("other")).messages());
    assertThrows(
        NotFoundException.class,
        () -> lookup.byKey(SampleCallers.OPERATOR, new TopicName("missing"), new IdemKey("k")));
    for (String ops : List.of("ops = peek", "ops = dlq.view")) {
      Caller half = people.caller(4, ops);
      assertThrows(DeniedException.class, () -> lookup.byKey(half, ORDERS, new IdemKey("k")));
    }
  }

  @Test
  void onlyFiftyLettersAreNamed() {
    for (int i = 0; i < LookupService.MOST_MATCHES; i++) {
      send("k" + i, Duration.ZERO, "same");
    }
    world.nack(
        world.receive(ORDERS, LookupService.MOST_MATCHES).stream()
            .map(message -> message.envelope().msgId())
            .toList());
    CorrId same = new CorrId("same");
    LookupService.Matches all = lookup.byCorrId(SampleCallers.OPERATOR, ORDERS, same);
    assertEquals(LookupService.MOST_MATCHES, all.messages().size());
    assertTrue(all.isComplete());
    MsgId one = send("one more", Duration.ZERO, "same");
    world.receive(ORDERS, 1);
    world.nack(List.of(one));
    LookupService.Matches some = lookup.byCorrId(SampleCallers.OPERATOR, ORDERS, same);
    assertEquals(LookupService.MOST_MATCHES, some.messages().size());
    assertFalse(some.isComplete());
  }

  @Test
  void theFifthLookupAtATimeIsRefusedByName() {
    MsgId msgId = world.send(ORDERS, "k");
    CapacityLimit limit = world.mailbox().limits().lookups();
    assertTrue(limit.tryAdd(3));
    isAt(Whereabouts.READY, find(msgId));
    assertTrue(limit.tryAdd(1));
    SaturatedException refused = assertThrows(SaturatedException.class, () -> find(msgId));
    assertEquals("message_lookups", refused.reason());
    assertThrows(
        SaturatedException.class,
        () -> lookup.byKey(SampleCallers.OPERATOR, ORDERS, new IdemKey("k")));
    limit.remove(4);
    isAt(Whereabouts.READY, find(msgId));
    assertEquals(0, limit.count());
  }
}
