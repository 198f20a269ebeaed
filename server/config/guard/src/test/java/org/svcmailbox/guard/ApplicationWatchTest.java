package org.svcmailbox.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationWatchTest {
  private static final long GRACE = ApplicationWatch.GRACE.toNanos();

  /** Before the clock's wrap. */
  private static final long BEGIN = Long.MAX_VALUE - 1;

  private @Nullable String state;
  private final ApplicationWatch watch = new ApplicationWatch(() -> state);

  private void stays(long after) {
    assertEquals(OptionalInt.empty(), watch.look(BEGIN + after));
  }

  private void ends(int code, long after) {
    assertEquals(OptionalInt.of(code), watch.look(BEGIN + after));
  }

  @Test
  void aServerThatNeverHadItsApplicationEndsAfterTheGrace() {
    stays(0);
    stays(GRACE - 1);
    ends(70, GRACE);
  }

  @Test
  void aLookThatFailsIsNotTheLast() {
    List<Integer> codes = new ArrayList<>();
    Iterator<Runnable> looks =
        List.<Runnable>of(
                () -> {
                  throw new StackOverflowError();
                },
                () -> {
                  throw new IllegalStateException();
                })
            .iterator();
    ApplicationWatch failing =
        new ApplicationWatch(
            () -> {
              looks.next().run();
              return null;
            });
    ApplicationGuard.look(failing, () -> {}, codes::add);
    ApplicationGuard.look(failing, () -> {}, codes::add);
    assertEquals(List.of(), codes);
    assertFalse(looks.hasNext(), "it has looked twice");
  }

  @Test
  void aServerThatServesStays() {
    state = "serving";
    stays(0);
    stays(100 * GRACE);
  }

  @Test
  void aServerThatLosesItsApplicationEndsAfterTheGraceBeginningThen() {
    state = "serving";
    stays(10 * GRACE);
    state = null;
    stays(11 * GRACE);
    stays(12 * GRACE - 1);
    ends(70, 12 * GRACE);
  }

  @Test
  void aRedeploymentWithinTheGraceIsNoEnd() {
    stays(0);
    state = "serving";
    stays(GRACE - 1);
    state = null;
    stays(GRACE);
    stays(2 * GRACE - 1);
  }

  @ParameterizedTest
  @CsvSource({"refused, 78", "unavailable, 69", "unknown, 70"})
  void whyTheStartFailedHasAnExitCodeOfItsOwn(String why, int code) {
    state = why;
    stays(0);
    ends(code, GRACE);
  }
}
