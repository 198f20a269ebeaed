package org.svcmailbox.test.concurrent;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/**
 * A program of a few threads, run under one interleaving of their steps after another (Lincheck).
 * The interleavings are those of a machine whose memory has one order.
 *
 * <p>A program makes everything that its threads share, and does the same each time: no clock,
 * nothing random. Objects come from {@code new} in our own code. Lincheck does not follow objects
 * or threads that a method reference in the library created, and finds no race there. On JDK 25 it
 * misses races on some volatile fields; it follows atomics.
 */
public final class Interleavings {
  /** The same each time, so that a failure is found again. */
  private static final int TRIED = Integer.getInteger("race.interleavings", 100);

  private Interleavings() {}

  /** Fails, and shows the interleaving, when the program throws under one. */
  public static void check(Runnable program) {
    Lincheck.runConcurrentTest(TRIED, program);
  }

  /**
   * Shows that a check can fail: a program with a planted race does.
   *
   * @param failure what the program then says
   */
  public static void assertFound(String failure, Runnable planted) {
    LincheckAssertionError found = assertThrows(LincheckAssertionError.class, () -> check(planted));
    assertTrue(String.valueOf(found.getMessage()).contains(failure), found::getMessage);
  }

  /** In a program: runs these at once and returns when all are done. */
  public static void together(Runnable... parts) {
    Thread[] threads = new Thread[parts.length];
    for (int i = 0; i < parts.length; i++) {
      threads[i] = new Thread(parts[i]);
      threads[i].start();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
