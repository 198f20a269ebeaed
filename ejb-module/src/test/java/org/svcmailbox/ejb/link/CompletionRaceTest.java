package org.svcmailbox.ejb.link;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker waits for a commit, and the broker's thread says that it failed. */
@Tag("race")
class CompletionRaceTest {
  private final ActiveMQException why = new ActiveMQException("the disk is full");
  private static final long PATIENCE_MILLIS = 60_000;

  /**
   * @param fail what the broker's thread does
   * @param isSeen waits, and answers whether it failed
   */
  private static void waitForAFailure(Runnable fail, BooleanSupplier isSeen) {
    Thread broker = new Thread(fail);
    broker.start();
    boolean seen = isSeen.getAsBoolean();
    try {
      broker.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (!seen) {
      throw new AssertionError("a failed commit passed for one on disk");
    }
  }

  private static boolean isFailed(Completion completion) {
    try {
      completion.await(PATIENCE_MILLIS);
      return false;
    } catch (ActiveMQException e) {
      return true;
    }
  }

  private static boolean isFailed(CountDownLatch ended, AtomicReference<?> failure) {
    try {
      ended.await();
      return failure.get() != null;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nobodyTakesAFailureForSuccess() {
    check(
        () -> {
          Completion completion = new Completion();
          waitForAFailure(() -> completion.fail(why), () -> isFailed(completion));
        });
  }

  @Test
  void aCompletionThatEndsTheWaitFirstIsCaught() {
    assertFound(
        "a failed commit passed",
        () -> {
          CountDownLatch ended = new CountDownLatch(1);
          AtomicReference<ActiveMQException> failure = new AtomicReference<>();
          Runnable fail =
              () -> {
                ended.countDown();
                failure.set(why);
              };
          waitForAFailure(fail, () -> isFailed(ended, failure));
        });
  }
}
