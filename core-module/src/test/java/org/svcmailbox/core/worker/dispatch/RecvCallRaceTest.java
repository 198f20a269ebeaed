package org.svcmailbox.core.worker.dispatch;

import static java.util.Objects.requireNonNull;
import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.LeasingScene;

/** One RECV, two workers that have a message for it, and a client that hangs up. */
@Tag("race")
class RecvCallRaceTest {
  private static final RecvRequest REQUEST =
      new RecvRequest(LeasingScene.TOPIC.name(), null, 1, 1, Duration.ZERO, null);

  /** All randomness comes before the race: Lincheck needs the rest to repeat exactly. */
  @BeforeAll
  static void prepare() {
    new Real().claim(new AtomicInteger(), new LeasingScene(1).leases.get(0));
  }

  /** A call, as its workers and its client see it. */
  private interface Subject {
    /** Whether a worker may answer; if not, its lease must be given back. */
    boolean claim(AtomicInteger givenBack, Lease lease);

    void abandon();
  }

  private static final class Real implements Subject {
    private final RecvCall call =
        new RecvCall(
            SampleCallers.OPERATOR,
            LeasingScene.TOPIC,
            REQUEST,
            Duration.ofSeconds(5),
            null,
            0,
            0,
            2);

    @Override
    public boolean claim(AtomicInteger givenBack, Lease lease) {
      return call.claim(leases -> givenBack.addAndGet(leases.size()), List.of(lease));
    }

    @Override
    public void abandon() {
      call.abandon();
    }
  }

  /** Reports the claim before it knows the lease. */
  private static final class Racy implements Subject {
    private final RecvCall call =
        new RecvCall(
            SampleCallers.OPERATOR,
            LeasingScene.TOPIC,
            REQUEST,
            Duration.ofSeconds(5),
            null,
            0,
            0,
            2);
    private final AtomicReference<Runnable> giveBack = new AtomicReference<>(() -> {});

    @Override
    public boolean claim(AtomicInteger givenBack, Lease lease) {
      boolean isMine = call.claim();
      if (isMine) {
        giveBack.set(givenBack::incrementAndGet);
      }
      return isMine;
    }

    @Override
    public void abandon() {
      call.abandon();
      requireNonNull(giveBack.get()).run();
    }
  }

  private static void claimAndHangUp(Supplier<Subject> subjects) {
    Subject call = subjects.get();
    LeasingScene scene = new LeasingScene(2);
    AtomicInteger givenBack = new AtomicInteger();
    AtomicInteger claimed = new AtomicInteger();
    together(
        () -> work(call, scene.leases.get(0), claimed, givenBack),
        () -> work(call, scene.leases.get(1), claimed, givenBack),
        call::abandon);
    if (claimed.get() > 1) {
      throw new AssertionError("two workers answer one call");
    }
    if (givenBack.get() != 2) {
      throw new AssertionError(givenBack.get() + " of 2 leases were given back");
    }
  }

  private static void work(
      Subject call, Lease lease, AtomicInteger claimed, AtomicInteger givenBack) {
    if (call.claim(givenBack, lease)) {
      claimed.incrementAndGet();
    } else {
      givenBack.incrementAndGet();
    }
  }

  @Test
  void nothingIsLeasedToAClientThatIsGone() {
    check(() -> claimAndHangUp(() -> new Real()));
  }

  @Test
  void aCallThatIsClaimedBeforeItKnowsTheLeaseIsCaught() {
    assertFound("of 2 leases were given back", () -> claimAndHangUp(() -> new Racy()));
  }
}
