package org.svcmailbox.core.rendezvous.mailbox;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.GetOutcome.Found;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.settings.RendezvousSettings;

/** A POST, GETs and a client that hangs up race for one mailbox. */
@Tag("race")
class RendezvousRaceTest {
  // All randomness and input comes before the race: the rest must repeat exactly.
  private static final RendezvousSettings SETTINGS =
      Scene.settings("max_queue_length", "1").rendezvous();

  private static final RecipientKey KEY =
      new RecipientKey.Salt(new SecureRandom()).of(Scene.recipient(1));

  private static final byte[] BODY = {1};

  @BeforeAll
  static void prepare() {
    postAndWait();
  }

  /** Records a GET's outcomes. */
  private static final class Receiver implements Consumer<GetOutcome> {
    private final List<GetOutcome> told = new ArrayList<>();

    @Override
    public synchronized void accept(GetOutcome outcome) {
      told.add(outcome);
    }

    synchronized int messages() {
      return (int) told.stream().filter(Found.class::isInstance).count();
    }

    synchronized void fail() {
      for (GetOutcome outcome : told) {
        if (outcome instanceof Found found) {
          found.handover().failed();
        }
      }
    }
  }

  /** One stripe only: Lincheck takes the creation of 64 for a livelock. */
  private static final class OneStripe implements Delivery.Settlement {
    private final Limits limits = new Limits(SETTINGS);
    private final Stripe stripe = new Stripe(limits, this);

    PostOutcome post() {
      Stripe.Posted posted = stripe.post(KEY, null, BODY, 0, 0);
      ClaimQueue.carryOut(posted.claim());
      return posted.outcome();
    }

    WaitingGet get(Consumer<GetOutcome> receiver, boolean waits) {
      WaitingGet get = new WaitingGet(KEY, Scene.ALLOWED, 1, receiver);
      Stripe.Got got = stripe.get(get, waits, 0);
      ClaimQueue.carryOut(got.claim());
      if (got.outcome() != null) {
        get.end(got.outcome());
      }
      return get;
    }

    void drain() {
      for (WaitingGet get : stripe.close(0)) {
        get.end(new Closing());
      }
    }

    @Override
    public void written(Delivery delivery) {
      ClaimQueue.carryOut(stripe.written(delivery.message(), 0));
    }

    @Override
    public void returned(Delivery delivery, boolean wasSent) {
      ClaimQueue.carryOut(stripe.returned(delivery.message(), wasSent, 0));
    }
  }

  private static void expect(String what, int expected, int found) {
    if (expected != found) {
      throw new AssertionError(what + ": " + found + " in place of " + expected);
    }
  }

  private static void postAndWait() {
    OneStripe door = new OneStripe();
    Receiver receiver = new Receiver();
    together(() -> door.post(), () -> door.get(receiver, true));
    expect("messages", 1, receiver.messages());
  }

  private static void postAndHangUp() {
    OneStripe door = new OneStripe();
    Receiver receiver = new Receiver();
    WaitingGet get = door.get(receiver, true);
    together(() -> door.post(), () -> door.stripe.abandon(get, 0));
    receiver.fail();
    Receiver next = new Receiver();
    door.get(next, false);
    expect("messages of the next GET", 1, next.messages());
  }

  private static void oneMessageForTwo() {
    OneStripe door = new OneStripe();
    Receiver one = new Receiver();
    Receiver other = new Receiver();
    door.post();
    together(() -> door.get(one, true), () -> door.get(other, true));
    expect("handovers", 1, one.messages() + other.messages());
    boolean isOne = one.messages() == 1;
    (isOne ? one : other).fail();
    expect("messages of the other", 1, (isOne ? other : one).messages());
  }

  private static void waitAndDrain() {
    OneStripe door = new OneStripe();
    Receiver receiver = new Receiver();
    together(() -> door.get(receiver, true), () -> door.drain());
    expect("outcomes", 1, receiver.told.size());
    expect("waiting", 0, door.limits.waiting.taken());
  }

  private static void twoPostsIntoTheLastPlace() {
    OneStripe door = new OneStripe();
    PostOutcome[] outcomes = new PostOutcome[2];
    together(() -> outcomes[0] = door.post(), () -> outcomes[1] = door.post());
    if (outcomes[0] == outcomes[1]) {
      throw new AssertionError("both " + outcomes[0]);
    }
    expect("messages", 1, door.stripe.size());
  }

  @Test
  void aGetThatMeetsAPostHasItsMessage() {
    check(RendezvousRaceTest::postAndWait);
  }

  @Test
  void whoHangsUpTakesNoMessageAlong() {
    check(RendezvousRaceTest::postAndHangUp);
  }

  @Test
  void oneOfTwoGetsHasTheMessageAndTheOtherWaits() {
    check(RendezvousRaceTest::oneMessageForTwo);
  }

  @Test
  void nobodyWaitsAtADoorThatDrains() {
    check(RendezvousRaceTest::waitAndDrain);
  }

  @Test
  void oneOfTwoPostsHasTheLastPlace() {
    check(RendezvousRaceTest::twoPostsIntoTheLastPlace);
  }

  /** Looks for a message first and registers the waiter afterwards. */
  private static final class TwoStepDoor {
    private final AtomicBoolean hasMessage = new AtomicBoolean();
    private final AtomicBoolean isWaiting = new AtomicBoolean();
    private final AtomicBoolean isTold = new AtomicBoolean();

    void post() {
      hasMessage.set(true);
      if (isWaiting.get()) {
        isTold.set(true);
      }
    }

    void get() {
      if (hasMessage.get()) {
        isTold.set(true);
        return;
      }
      isWaiting.set(true);
    }
  }

  @Test
  void aGetThatLooksFirstAndWaitsThenIsCaught() {
    assertFound(
        "messages: 0",
        () -> {
          TwoStepDoor door = new TwoStepDoor();
          together(() -> door.post(), () -> door.get());
          expect("messages", 1, door.isTold.get() ? 1 : 0);
        });
  }
}
