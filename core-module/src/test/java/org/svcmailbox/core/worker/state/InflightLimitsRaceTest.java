package org.svcmailbox.core.worker.state;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.InflightLimits;

/** Two workers lease and settle under the same limits. */
@Tag("race")
class InflightLimitsRaceTest {
  /** All randomness comes before the race: Lincheck needs the rest to repeat exactly. */
  @BeforeAll
  static void prepare() {
    new LeasingScene(1).expect(0);
  }

  private static void takeTheLastPlace() {
    LeasingScene scene = new LeasingScene(1);
    boolean[] got = new boolean[2];
    together(
        () -> got[0] = scene.take(scene.leases.get(0)),
        () -> got[1] = scene.take(scene.leases.get(1)));
    if (got[0] && got[1]) {
      throw new AssertionError("both got the last place");
    }
    scene.expect(1);
  }

  private static void takeAndSettle() {
    LeasingScene scene = new LeasingScene(2);
    together(
        () -> takeAndSettle(scene, scene.leases.get(0)),
        () -> takeAndSettle(scene, scene.leases.get(1)));
    scene.expect(0);
  }

  private static void takeAndSettle(LeasingScene scene, Lease lease) {
    if (!scene.take(lease)) {
      throw new AssertionError("there was room for both");
    }
    scene.inflightLimits.remove(lease);
  }

  /** Two workers process a claimed call at once. */
  private static void holdUnderACeilingOfOne(Function<InflightLimits, Predicate<Lease>> ceiling) {
    LeasingScene scene = new LeasingScene(2);
    Predicate<Lease> hold = ceiling.apply(scene.inflightLimits);
    boolean[] held = new boolean[2];
    together(
        () -> held[0] = takeAndHold(scene, scene.leases.get(0), hold),
        () -> held[1] = takeAndHold(scene, scene.leases.get(1), hold));
    if (held[0] == held[1]) {
      throw new AssertionError(held[0] ? "both hold one" : "nobody holds one");
    }
    scene.expect(1);
  }

  private static boolean takeAndHold(LeasingScene scene, Lease lease, Predicate<Lease> hold) {
    boolean taken = scene.take(lease);
    boolean held = taken && hold.test(lease);
    if (taken && !held) {
      scene.inflightLimits.remove(lease);
    }
    return held;
  }

  @Test
  void oneOfTwoGetsTheLastPlace() {
    check(InflightLimitsRaceTest::takeTheLastPlace);
  }

  @Test
  void whatIsSettledMakesRoomOnce() {
    check(InflightLimitsRaceTest::takeAndSettle);
  }

  @Test
  void aCeilingHoldsForBothWorkersTogether() {
    check(() -> holdUnderACeilingOfOne(limits -> limits::tryHold));
  }

  @Test
  void aCeilingThatIsAskedFirstAndTakenThenIsCaught() {
    assertFound(
        "both hold one",
        () ->
            holdUnderACeilingOfOne(
                limits -> {
                  AtomicInteger count = new AtomicInteger();
                  return lease -> count.get() < 1 && count.incrementAndGet() > 0;
                }));
  }
}
