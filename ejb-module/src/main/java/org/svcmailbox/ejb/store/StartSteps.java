package org.svcmailbox.ejb.store;

import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The steps of the application's start, in order. While a broker in another process is away, a step
 * that needs it waits, with all later steps. {@link #turn} repeats it until the broker answers.
 *
 * <p>One thread adds steps and another takes turns.
 */
public final class StartSteps {
  static final Duration EVERY = Duration.ofSeconds(1);

  private static final Logger LOG = System.getLogger(StartSteps.class.getName());

  private final boolean mayWait;
  private final Runnable waits;
  private final Consumer<RuntimeException> failed;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private String reason = "";

  /**
   * @param mayWait whether a step may wait, instead of failing the deployment
   * @param waits called when a step begins to wait and no other does; from then on somebody must
   *     take turns
   * @param failed receives the failure that ends the start
   */
  StartSteps(boolean mayWait, Runnable waits, Consumer<RuntimeException> failed) {
    this.mayWait = mayWait;
    this.waits = waits;
    this.failed = failed;
  }

  /**
   * Runs a step now, or queues it behind the waiting ones.
   *
   * @param step must leave nothing behind when it fails
   */
  public void add(Runnable step) {
    if (isBehindOthers(step)) {
      return;
    }
    try {
      step.run();
    } catch (UnavailableException e) {
      if (!mayWait) {
        throw given(e);
      }
      synchronized (this) {
        waiting.add(step);
      }
      say(e);
      waits.run();
    } catch (RuntimeException e) {
      throw given(e);
    }
  }

  /** Explains a failure that its place alone does not, and passes it on. */
  private RuntimeException given(RuntimeException e) {
    RuntimeException explained = explained(e);
    failed.accept(explained);
    return explained;
  }

  private static RuntimeException explained(RuntimeException e) {
    if (e instanceof UnavailableException) {
      return new StartException(
          "The start failed: " + e.getMessage() + ". Mend that and start the server again",
          false,
          e);
    }
    if (e instanceof UncheckedIOException file) {
      return new StartException(
          "%s cannot be used: %s. Correct that and start the server again"
              .formatted(file.getMessage(), file.getCause()),
          true,
          e);
    }
    return e;
  }

  private synchronized boolean isBehindOthers(Runnable step) {
    return !waiting.isEmpty() && waiting.add(step);
  }

  /**
   * Runs the waiting steps until one has to wait again; returns nanoseconds until the next turn.
   */
  long turn() {
    for (Runnable next = first(); next != null; next = first()) {
      try {
        next.run();
      } catch (UnavailableException e) {
        say(e);
        return EVERY.toNanos();
      } catch (RuntimeException e) {
        give(e);
        return Long.MAX_VALUE;
      }
      done();
    }
    return Long.MAX_VALUE;
  }

  private synchronized @Nullable Runnable first() {
    return waiting.peek();
  }

  private synchronized void done() {
    waiting.remove();
    if (waiting.isEmpty()) {
      reason = "";
      LOG.log(Level.INFO, "The broker answers, and the start is complete");
    }
  }

  private void give(RuntimeException e) {
    synchronized (this) {
      waiting.clear();
      reason = "the start failed; see the log";
    }
    RuntimeException unused = given(e);
  }

  private synchronized void say(UnavailableException e) {
    String now = String.valueOf(e.getMessage());
    if (!now.equals(reason)) {
      LOG.log(Level.WARNING, "The start waits for the broker, and is tried every second: {0}", now);
    }
    reason = now;
  }

  /** Why the start is not complete; empty once it is. */
  public synchronized String reason() {
    return reason;
  }
}
