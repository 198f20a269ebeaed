package org.svcmailbox.client.sqs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.svcmailbox.client.sqs.SqsFailure.Kind;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Repeats a call a few times while that is harmless: if nothing was done, or if doing it twice is
 * the same as doing it once.
 */
final class SqsRepeater {
  /** The most attempts of a call. */
  static final int MAX_ATTEMPTS = 3;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /** A call that failed permanently. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Never leaves this package.
    final SqsFailure failure;

    /** Whether an earlier attempt may have taken effect. */
    final boolean inDoubt;

    FailedException(SqsFailure failure, boolean inDoubt) {
      super(failure.cause());
      this.failure = failure;
      this.inDoubt = inDoubt;
    }

    /** The exception for the caller. */
    RuntimeException toThrow() {
      return inDoubt ? failure.causeInDoubt() : failure.cause();
    }
  }

  /** One attempt of a call. */
  interface Attempt<A> {
    /**
     * Makes the attempt.
     *
     * @param inDoubt whether an earlier attempt may have taken effect
     */
    A make(boolean inDoubt);
  }

  private final Duration callTimeout;

  /**
   * @param callTimeout the time after which no further attempt begins
   */
  SqsRepeater(Duration callTimeout) {
    this.callTimeout = callTimeout;
  }

  /** Makes a call, and throws the exception for its caller. */
  <A> A call(String name, boolean sameTwice, Attempt<A> attempt) {
    try {
      return attempt(name, sameTwice, attempt);
    } catch (FailedException e) {
      throw e.toThrow();
    }
  }

  /** Makes a call once. */
  static <A> A once(String name, Supplier<A> call) {
    try {
      return call.get();
    } catch (SdkException e) {
      throw SqsFailure.of(name, e).cause();
    }
  }

  /**
   * Makes a call.
   *
   * @param name for messages of exceptions
   * @param sameTwice whether it may be repeated although an earlier attempt may have taken effect
   */
  <A> A attempt(String name, boolean sameTwice, Attempt<A> attempt) throws FailedException {
    long end = System.nanoTime() + callTimeout.toNanos();
    boolean inDoubt = false;
    for (int made = 1; ; made++) {
      try {
        return attempt.make(inDoubt);
      } catch (SdkException e) {
        SqsFailure failure = SqsFailure.of(name, e);
        boolean isHarmless =
            failure.kind() == Kind.NOT_DONE || (failure.kind() == Kind.UNKNOWN && sameTwice);
        if (!isHarmless || made == MAX_ATTEMPTS || !pause(made, end)) {
          throw new FailedException(failure, inDoubt);
        }
        inDoubt |= failure.kind() == Kind.UNKNOWN;
      }
    }
  }

  /** Pauses for a random time; returns false if there is no time for another attempt. */
  private static boolean pause(int made, long end) {
    long most = FIRST_PAUSE.toNanos() << (made - 1);
    long nanos = ThreadLocalRandom.current().nextLong(most);
    if (System.nanoTime() + nanos - end >= 0) {
      return false;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
