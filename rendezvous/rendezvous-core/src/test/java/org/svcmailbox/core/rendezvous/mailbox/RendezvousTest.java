package org.svcmailbox.core.rendezvous.mailbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.rendezvous.mailbox.Scene.ALLOWED;
import static org.svcmailbox.core.rendezvous.mailbox.Scene.recipient;
import static org.svcmailbox.core.rendezvous.mailbox.Scene.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.GetOutcome.Empty;
import org.svcmailbox.core.rendezvous.GetOutcome.Full;
import org.svcmailbox.core.rendezvous.GetOutcome.Revoked;
import org.svcmailbox.core.rendezvous.GetOutcome.TooManyWaiters;
import org.svcmailbox.core.rendezvous.Handover;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.mailbox.Scene.Outcomes;

/** Messages, waits, handovers and limits, on a clock that the test moves. */
class RendezvousTest {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final int MEGA = 1 << 20;

  private static PostOutcome post(Scene scene, String address, int recipient, int bytes) {
    return scene.mailboxes.post(Scene.from(address), recipient(recipient), new byte[bytes]);
  }

  @Test
  void messagesComeInTheirOrderWithTheirNumbers() {
    Scene scene = new Scene();
    scene.posts(1, 3);
    long first = scene.time.instant().toEpochMilli();
    for (int i = 0; i < 3; i++) {
      Handover handover = scene.take(1);
      assertEquals("message " + i, text(handover));
      assertEquals(first + i, handover.sequence());
      assertEquals(2 - i, handover.remaining());
      handover.written();
    }
    assertInstanceOf(Empty.class, scene.get(1));
  }

  @Test
  void anEmptyMessageIsAMessage() {
    Scene scene = new Scene();
    scene.post(1, "");
    assertArrayEquals(new byte[0], scene.take(1).body());
  }

  @Test
  void mailboxesAreApart() {
    Scene scene = new Scene();
    scene.post(1, "one");
    scene.post(2, "two");
    assertEquals("two", scene.read(2));
    assertEquals("one", scene.read(1));
  }

  @Test
  void oneMessageIsHandedOverAtATime() {
    Scene scene = new Scene();
    scene.posts(1, 2);
    Handover first = scene.take(1);
    assertInstanceOf(Empty.class, scene.get(1));
    Outcomes waiting = scene.await(1, WAIT);
    assertTrue(waiting.isWaiting());
    first.written();
    assertEquals("message 1", text(waiting.message()));
  }

  @Test
  void aMessageThatWasNotWrittenReturnsToItsPlaceWithItsNumberAndAge() {
    Scene scene = new Scene("message_ttl", "10s");
    scene.posts(1, 2);
    Handover failed = scene.take(1);
    scene.advance(Duration.ofSeconds(10).minus(NANO));
    failed.failed();
    Handover again = scene.take(1);
    assertEquals(failed.sequence(), again.sequence());
    assertEquals("message 0", text(again));
    again.failed();
    scene.advance(NANO);
    assertInstanceOf(Empty.class, scene.get(1), "it is as old as it was");
    assertEquals(2, scene.mailboxes.globalStats().returned());
    assertEquals(2, scene.mailboxes.globalStats().evicted());
  }

  @Test
  void aHandoverIsSettledOnce() {
    Scene scene = new Scene();
    scene.posts(1, 2);
    Handover first = scene.take(1);
    first.failed();
    first.written();
    Handover again = scene.take(1);
    assertEquals(first.sequence(), again.sequence());
    first.written();
    first.failed();
    assertInstanceOf(Empty.class, scene.get(1), "the second handover is not settled");
    again.written();
    again.failed();
    assertEquals("message 1", scene.read(1));
    assertEquals(1, scene.mailboxes.globalStats().returned());
  }

  @Test
  void aMessageIsChargedUntilItsResponseIsWritten() {
    Scene scene = new Scene();
    scene.post(1, "12345");
    Handover handover = scene.take(1);
    assertEquals(261, scene.mailboxes.globalStats().bytes());
    assertEquals(1, scene.mailboxes.globalStats().messages());
    handover.failed();
    assertEquals(261, scene.mailboxes.globalStats().bytes());
    scene.take(1).written();
    assertEquals(0, scene.mailboxes.globalStats().bytes());
    assertEquals(0, scene.mailboxes.globalStats().messages());
    assertEquals(1, scene.mailboxes.globalStats().delivered());
  }

  @Test
  void waitersAreServedInTheOrderTheyCame() {
    Scene scene = new Scene();
    List<Outcomes> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(scene.await(1, WAIT));
    }
    scene.posts(1, 3);
    for (int i = 0; i < 3; i++) {
      assertEquals("message " + i, text(waiting.get(i).message()));
      assertTrue(i == 2 || waiting.get(i + 1).isWaiting());
      waiting.get(i).message().written();
    }
  }

  @Test
  void aMessageThatWasNotWrittenGoesToTheNextWaiter() {
    Scene scene = new Scene();
    Outcomes first = scene.await(1, WAIT);
    Outcomes second = scene.await(1, WAIT);
    scene.posts(1, 1);
    first.message().failed();
    assertEquals("message 0", text(second.message()));
  }

  @Test
  void aWaitEndsAtItsEndAndNotBefore() {
    Scene scene = new Scene();
    Outcomes waiting = scene.await(1, WAIT);
    scene.advance(WAIT.minus(NANO));
    assertTrue(waiting.isWaiting());
    scene.advance(NANO);
    assertInstanceOf(Empty.class, waiting.only());
    assertEquals(0, scene.mailboxes.globalStats().waiting());
    scene.posts(1, 1);
    assertEquals("message 0", scene.read(1));
  }

  @Test
  void whoHangsUpIsRemovedAtOnceAndToldNothing() {
    Scene scene = new Scene();
    Outcomes gone = scene.await(1, WAIT);
    Outcomes waiting = scene.await(1, WAIT);
    gone.abandon();
    gone.abandon();
    assertEquals(1, scene.mailboxes.globalStats().waiting());
    scene.posts(1, 1);
    assertTrue(gone.isWaiting());
    assertEquals("message 0", text(waiting.message()));
    scene.advance(WAIT);
    assertTrue(gone.isWaiting());
  }

  @Test
  void aWaiterThatWouldNotBeAdmittedAnyMoreIsRefusedAndTheNextOneServed() {
    Scene scene = new Scene();
    boolean[] isValid = {true};
    Outcomes revoked = scene.await(new Access(null, () -> isValid[0]), 1, WAIT);
    Outcomes next = scene.await(1, WAIT);
    isValid[0] = false;
    scene.posts(1, 1);
    assertInstanceOf(Revoked.class, revoked.only());
    assertEquals("message 0", text(next.message()));
    assertEquals(0, scene.mailboxes.globalStats().returned(), "nothing was sent");
  }

  @Test
  void aWaiterWhoseJudgeFailsIsRefused() {
    Scene scene = new Scene();
    Outcomes broken =
        scene.await(
            new Access(
                null,
                () -> {
                  throw new IllegalStateException("planted");
                }),
            1,
            WAIT);
    scene.posts(1, 1);
    assertInstanceOf(Revoked.class, broken.only());
    assertEquals("message 0", scene.read(1));
  }

  @Test
  void aReceiverThatFailsLosesNoMessage() {
    Scene scene = new Scene();
    scene.mailboxes.get(
        ALLOWED,
        recipient(1),
        WAIT,
        outcome -> {
          throw new IllegalStateException("planted");
        });
    scene.posts(1, 1);
    assertEquals("message 0", scene.read(1));
  }

  @Test
  void manyWaitersThatFailAtOnceDoNotDeepenTheStack() {
    Scene scene = new Scene();
    int[] failed = new int[1];
    for (int i = 0; i < 10_000; i++) {
      scene.mailboxes.get(
          ALLOWED,
          recipient(1),
          WAIT,
          outcome -> {
            failed[0]++;
            assertInstanceOf(GetOutcome.Found.class, outcome);
            ((GetOutcome.Found) outcome).handover().failed();
          });
    }
    scene.posts(1, 1);
    assertEquals(10_000, failed[0]);
    assertEquals("message 0", scene.read(1));
  }

  @Test
  void aMailboxHasItsMostWaiters() {
    Scene scene = new Scene("max_waiting_per_mailbox", "2");
    Access client = Scene.from("192.0.2.1");
    scene.await(client, 1, WAIT);
    Outcomes last = scene.await(client, 1, WAIT);
    assertInstanceOf(TooManyWaiters.class, scene.await(client, 1, WAIT).only());
    assertTrue(scene.await(client, 2, WAIT).isWaiting(), "another mailbox");
    assertTrue(scene.await(1, WAIT).isWaiting(), "on the allow list");
    last.abandon();
    assertInstanceOf(TooManyWaiters.class, scene.await(client, 1, WAIT).only());
  }

  @Test
  void sixteenMayWaitForAMailboxByDefault() {
    Scene scene = new Scene();
    for (int i = 0; i < 16; i++) {
      assertTrue(scene.await(Scene.from("192.0.2.1"), 1, WAIT).isWaiting());
    }
    assertInstanceOf(TooManyWaiters.class, scene.await(Scene.from("192.0.2.2"), 1, WAIT).only());
  }

  @Test
  void aClientHasItsMostWaiters() {
    Scene scene = new Scene("max_waiting_per_address", "2");
    Outcomes first = scene.await(Scene.from("192.0.2.1"), 1, WAIT);
    scene.await(Scene.from("192.0.2.1"), 2, WAIT);
    assertInstanceOf(TooManyWaiters.class, scene.await(Scene.from("192.0.2.1"), 3, WAIT).only());
    assertTrue(scene.await(Scene.from("192.0.2.2"), 3, WAIT).isWaiting());
    first.abandon();
    assertTrue(scene.await(Scene.from("192.0.2.1"), 3, WAIT).isWaiting());
  }

  @Test
  void theDoorHasItsMostWaiters() {
    Scene scene = new Scene("max_waiting", "2");
    Outcomes first = scene.await(1, Duration.ofSeconds(1));
    scene.await(2, WAIT);
    assertInstanceOf(Full.class, scene.await(Scene.from("192.0.2.1"), 3, WAIT).only());
    scene.advance(Duration.ofSeconds(1));
    assertInstanceOf(Empty.class, first.only());
    assertTrue(scene.await(Scene.from("192.0.2.1"), 3, WAIT).isWaiting());
    assertInstanceOf(Empty.class, scene.get(4), "who does not wait needs no place");
  }

  @Test
  void whoFindsAMessageNeedsNoPlaceToWait() {
    Scene scene = new Scene("max_waiting", "1");
    scene.await(2, WAIT);
    scene.posts(1, 1);
    assertEquals("message 0", text(scene.await(1, WAIT).message()));
  }

  @Test
  void aGetMakesNoMailboxAndDoesNotTellWhetherThereIsOne() {
    Scene scene = new Scene();
    assertInstanceOf(Empty.class, scene.get(1));
    Outcomes waiting = scene.await(1, WAIT);
    assertEquals(Optional.empty(), scene.mailboxes.stats(recipient(1)));
    assertEquals(0, scene.mailboxes.globalStats().mailboxes());
    scene.posts(1, 1);
    waiting.message().written();
    assertInstanceOf(Empty.class, scene.get(1), "as if there were none");
    assertEquals(1, scene.mailboxes.globalStats().mailboxes());
  }

  @Test
  void aMessageIsGoneAtItsEndAndNotBefore() {
    Scene scene = new Scene("message_ttl", "10s");
    scene.posts(1, 1);
    scene.advance(Duration.ofSeconds(10).minus(NANO));
    scene.mailboxes.evictExpired();
    Handover last = scene.take(1);
    last.failed();
    scene.advance(NANO);
    scene.mailboxes.evictExpired();
    assertInstanceOf(Empty.class, scene.get(1));
    assertEquals(0, scene.mailboxes.globalStats().bytes());
  }

  @Test
  void aMessageThatIsBeingWrittenIsNotEvicted() {
    Scene scene = new Scene("message_ttl", "10s");
    scene.posts(1, 3);
    Handover slow = scene.take(1);
    scene.advance(Duration.ofSeconds(10));
    scene.mailboxes.evictExpired();
    assertEquals(2, scene.mailboxes.globalStats().evicted());
    assertEquals(1, scene.stats(1).messages());
    slow.written();
    assertEquals(1, scene.mailboxes.globalStats().delivered());
    assertEquals(0, scene.mailboxes.globalStats().bytes());
  }

  @Test
  void expiredMessagesTakeNoPlaceInAQueue() {
    Scene scene = new Scene("max_queue_length", "2", "message_ttl", "10s");
    scene.posts(1, 2);
    assertEquals(PostOutcome.MAILBOX_FULL, scene.post(1, "more"));
    scene.advance(Duration.ofSeconds(10));
    assertEquals(PostOutcome.STORED, scene.post(1, "more"));
    assertEquals("more", scene.read(1));
  }

  @Test
  void anIdleMailboxIsGoneAtItsEndAndNotBefore() {
    Scene scene = new Scene("message_ttl", "10s", "idle_mailbox_ttl", "20s");
    scene.posts(1, 1);
    scene.read(1);
    scene.advance(Duration.ofSeconds(20).minus(NANO));
    scene.mailboxes.evictExpired();
    assertEquals(1, scene.mailboxes.globalStats().mailboxes());
    scene.advance(NANO);
    scene.mailboxes.evictExpired();
    assertEquals(0, scene.mailboxes.globalStats().mailboxes());
  }

  @Test
  void aMailboxIsNotIdleWhileItIsUsed() {
    Scene scene = new Scene("message_ttl", "10s", "idle_mailbox_ttl", "20s");
    scene.posts(1, 1);
    scene.read(1);
    scene.advance(Duration.ofSeconds(15));
    scene.get(1);
    scene.advance(Duration.ofSeconds(15));
    Outcomes waiting = scene.await(1, WAIT);
    scene.advance(Duration.ofSeconds(25));
    scene.mailboxes.evictExpired();
    assertEquals(1, scene.mailboxes.globalStats().mailboxes());
    waiting.abandon();
    scene.advance(Duration.ofSeconds(20));
    scene.mailboxes.evictExpired();
    assertEquals(0, scene.mailboxes.globalStats().mailboxes());
  }

  @Test
  void manyAreEvictedInOneGo() {
    Scene scene = new Scene("message_ttl", "10s", "idle_mailbox_ttl", "10s");
    for (int i = 0; i < 5_000; i++) {
      scene.posts(i, 2);
    }
    scene.posts(0, 98);
    scene.advance(Duration.ofSeconds(10));
    scene.mailboxes.evictExpired();
    assertEquals(new GlobalStats(0, 0, 0, 0, 0, 10_098, 0, 0), scene.mailboxes.globalStats());
  }

  @Test
  void numbersAreNotRepeatedAfterAMailboxWasDropped() {
    Scene scene = new Scene("max_mailboxes", "1");
    scene.posts(1, 50);
    long last = 0;
    for (int i = 0; i < 50; i++) {
      Handover handover = scene.take(1);
      last = handover.sequence();
      handover.written();
    }
    scene.posts(2, 1);
    assertEquals(Optional.empty(), scene.mailboxes.stats(recipient(1)));
    scene.read(2);
    scene.posts(1, 1);
    assertTrue(scene.take(1).sequence() > last, "the clock has not moved");
  }

  @Test
  void theLeastRecentlyUsedEmptyMailboxMakesRoom() {
    Scene scene = new Scene("max_mailboxes", "4");
    for (int i = 1; i <= 4; i++) {
      scene.posts(i, 1);
      scene.advance(NANO);
    }
    for (int i : List.of(3, 1, 2)) {
      scene.read(i);
      scene.advance(NANO);
    }
    scene.await(3, WAIT);
    scene.posts(5, 1);
    assertEquals(Optional.empty(), scene.mailboxes.stats(recipient(1)), "3 is waited for");
    assertNotEquals(Optional.empty(), scene.mailboxes.stats(recipient(3)));
    scene.posts(6, 1);
    assertEquals(Optional.empty(), scene.mailboxes.stats(recipient(2)));
    assertEquals(PostOutcome.FULL, scene.post(7, "no mailbox is idle"));
    assertEquals(PostOutcome.STORED, scene.post(4, "it has one"));
    assertEquals(4, scene.mailboxes.globalStats().mailboxes());
  }

  @Test
  void aMailboxThatHandsOverIsNotDropped() {
    Scene scene = new Scene("max_mailboxes", "1");
    scene.posts(1, 1);
    Handover handover = scene.take(1);
    assertEquals(PostOutcome.FULL, scene.post(2, "2"));
    handover.written();
    assertEquals(PostOutcome.STORED, scene.post(2, "2"));
  }

  @Test
  void theQueueHasItsLength() {
    Scene scene = new Scene();
    scene.posts(1, 100);
    assertEquals(PostOutcome.MAILBOX_FULL, scene.post(1, "one more"));
    Handover first = scene.take(1);
    assertEquals(PostOutcome.MAILBOX_FULL, scene.post(1, "not written yet"));
    first.written();
    assertEquals(PostOutcome.STORED, scene.post(1, "one more"));
  }

  @Test
  void memoryHasItsBound() {
    Scene scene = new Scene("max_bytes", "2097152", "max_message_size", "1048576");
    assertEquals(PostOutcome.STORED, scene.mailboxes.post(ALLOWED, recipient(1), new byte[MEGA]));
    int rest = MEGA - 2 * Budget.OVERHEAD;
    assertEquals(PostOutcome.FULL, scene.mailboxes.post(ALLOWED, recipient(2), new byte[rest + 1]));
    assertEquals(0, scene.mailboxes.stats(recipient(2)).stream().count(), "nothing changed");
    assertEquals(PostOutcome.STORED, scene.mailboxes.post(ALLOWED, recipient(2), new byte[rest]));
    assertEquals(PostOutcome.FULL, scene.post(3, ""));
    scene.take(1).written();
    assertEquals(PostOutcome.STORED, scene.post(3, ""));
  }

  @Test
  void aMailboxMayHoldAQuarterOfWhatIsFree() {
    Scene scene = new Scene("max_bytes", "2097152");
    int share = 2 * MEGA / 4;
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.1", 1, 1_000 - Budget.OVERHEAD));
    int most = (2 * MEGA - 1_000) / 4 - 1_000 - Budget.OVERHEAD;
    assertEquals(PostOutcome.MAILBOX_FULL, post(scene, "192.0.2.2", 1, most + 1));
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.2", 1, most));
    assertTrue(share > most);
    assertEquals(PostOutcome.STORED, scene.mailboxes.post(ALLOWED, recipient(1), new byte[most]));
  }

  @Test
  void aClientMayHoldAQuarterOfWhatIsFree() {
    Scene scene = new Scene("max_bytes", "2097152");
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.1", 1, 1_000 - Budget.OVERHEAD));
    int most = (2 * MEGA - 1_000) / 4 - 1_000 - Budget.OVERHEAD;
    assertEquals(PostOutcome.SENDER_FULL, post(scene, "192.0.2.1", 2, most + 1));
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.2", 2, most + 1), "somebody else");
    scene.take(2).written();
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.1", 3, most));
    assertEquals(PostOutcome.SENDER_FULL, post(scene, "192.0.2.1", 4, 0));
    scene.take(1).written();
    scene.take(3).written();
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.1", 4, most));
  }

  @Test
  void oneMessageIsAlwaysAllowed() {
    Scene scene = new Scene("max_bytes", "2097152", "max_message_size", "1048576");
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.1", 1, MEGA));
    assertEquals(PostOutcome.STORED, post(scene, "192.0.2.2", 2, MEGA / 2), "more than a quarter");
    assertEquals(PostOutcome.SENDER_FULL, post(scene, "192.0.2.2", 3, MEGA / 4));
    assertEquals(PostOutcome.MAILBOX_FULL, post(scene, "192.0.2.3", 2, MEGA / 4));
    assertEquals(2, scene.mailboxes.limits().budget.clients());
  }

  @Test
  void aClientWithoutMessagesTakesNoMemory() {
    Scene scene = new Scene();
    for (int i = 0; i < 100; i++) {
      post(scene, "192.0.2." + i, i, 10);
    }
    assertEquals(100, scene.mailboxes.limits().budget.clients());
    scene.advance(Duration.ofMinutes(5));
    scene.mailboxes.evictExpired();
    assertEquals(0, scene.mailboxes.limits().budget.clients());
  }

  @Test
  void aDrainingDoorTakesNothingAndHandsOutWhatItHas() {
    Scene scene = new Scene();
    Outcomes waiting = scene.await(2, WAIT);
    scene.posts(1, 3);
    Handover begun = scene.take(1);
    scene.mailboxes.close().forEach(Runnable::run);
    assertInstanceOf(Closing.class, waiting.only());
    assertEquals(PostOutcome.CLOSING, scene.post(1, "late"));
    assertInstanceOf(Closing.class, scene.await(1, WAIT).only());
    begun.written();
    assertEquals("message 1", scene.read(1));
    assertEquals(1, scene.mailboxes.size());
    assertEquals(1, scene.mailboxes.clear());
    assertEquals(1, scene.mailboxes.globalStats().lost());
    assertEquals(0, scene.mailboxes.globalStats().bytes());
    assertInstanceOf(Empty.class, scene.get(1));
  }

  @Test
  void whatIsWrittenAfterTheEndIsCountedOnce() {
    Scene scene = new Scene();
    scene.posts(1, 1);
    Handover late = scene.take(1);
    assertEquals(List.of(), scene.mailboxes.close());
    scene.mailboxes.clear();
    late.written();
    assertEquals(0, scene.mailboxes.globalStats().delivered());
    assertEquals(1, scene.mailboxes.globalStats().lost());
  }

  @Test
  void aWakeupIsMeasuredFromTheMessageToItsLastByte() {
    Scene scene = new Scene();
    Outcomes waiting = scene.await(1, WAIT);
    scene.advance(Duration.ofSeconds(1));
    scene.posts(1, 2);
    scene.advance(Duration.ofNanos(7));
    waiting.message().written();
    scene.read(1);
    assertEquals(List.of(7L), scene.wakeups, "who did not wait is not measured");
  }

  @Test
  void theWallClockMovesNoDeadline() {
    Scene scene = new Scene("message_ttl", "10s");
    Outcomes waiting = scene.await(2, WAIT);
    scene.posts(1, 1);
    scene.time.jumpWall(Duration.ofDays(1));
    scene.mailboxes.endWaits();
    scene.mailboxes.evictExpired();
    assertTrue(waiting.isWaiting());
    Handover before = scene.take(1);
    before.written();
    scene.time.jumpWall(Duration.ofDays(-2));
    scene.posts(1, 1);
    assertEquals(before.sequence() + 1, scene.take(1).sequence());
  }
}
