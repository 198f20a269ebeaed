package org.svcmailbox.client.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;

/**
 * Makes attempts until each task has a final answer, its time is over, or the mailbox stops.
 * Repeats when the service says, or else after a random part of an exponential backoff.
 */
public final class Repeater {
  /**
   * One attempt.
   *
   * @param <T> the tasks
   */
  public interface Attempt<T> {
    /** Makes a request for these tasks, at least one. Tasks that it does not end are repeated. */
    void make(List<T> tasks) throws InterruptedException;
  }

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);
  private static final int MAX_DOUBLINGS = 6;

  private final Logger log;
  private final String mailbox;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final DoubleSupplier random;

  /**
   * A repeater for one mailbox.
   *
   * @param log gets a line for each repeat
   * @param random from 0 to 1, spreads the repeats of many clients
   */
  public Repeater(
      Logger log, String mailbox, Lifecycle lifecycle, MailboxClock clock, DoubleSupplier random) {
    this.log = log;
    this.mailbox = mailbox;
    this.lifecycle = lifecycle;
    this.clock = clock;
    this.random = random;
  }

  /** Does the tasks, in one request as long as they stay together. Every result is then there. */
  public <T extends RepeatedTask<?>> void run(Attempt<T> attempt, List<T> tasks) {
    RuntimeException otherwise = new MailboxClosedException(mailbox);
    try {
      List<T> left = tasks;
      for (int round = 0; !left.isEmpty() && !lifecycle.isStopped(); round++) {
        left = pause(attempted(attempt, inTime(left)), round);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      otherwise = new MailboxConnectionException("interrupted during the call", Outcome.UNKNOWN, e);
    } catch (RuntimeException | Error e) {
      // The thread may be a batcher's, which must live on for the tasks behind these.
      otherwise = new MailboxConnectionException("the call failed", Outcome.UNKNOWN, e);
    } finally {
      for (T task : tasks) {
        task.giveUp(otherwise);
      }
    }
  }

  private <T extends RepeatedTask<?>> List<T> inTime(List<T> tasks) {
    List<T> inTime = new ArrayList<>();
    for (T task : tasks) {
      if (clock.isPast(task.deadline())) {
        task.giveUp(
            new MailboxConnectionException(
                "the time was over before the first attempt", Outcome.NOT_DONE));
      } else {
        inTime.add(task);
      }
    }
    return inTime;
  }

  private static <T extends RepeatedTask<?>> List<T> attempted(Attempt<T> attempt, List<T> tasks)
      throws InterruptedException {
    if (!tasks.isEmpty()) {
      attempt.make(tasks);
    }
    return tasks.stream().filter(task -> !task.isDone()).toList();
  }

  /** Waits before the next attempt, and returns the tasks that still have time for it. */
  private <T extends RepeatedTask<?>> List<T> pause(List<T> tasks, int round)
      throws InterruptedException {
    List<T> left = new ArrayList<>();
    Duration longest = Duration.ZERO;
    Duration backoff = backoff(round);
    for (T task : tasks) {
      Failure failure = task.last();
      Duration wait =
          failure != null && failure.retryAfter() != null ? failure.retryAfter() : backoff;
      if (task.deadline() - clock.deadline(wait) > 0) {
        left.add(task);
        longest = wait.compareTo(longest) > 0 ? wait : longest;
      } else if (failure != null) {
        task.giveUp(failure.cause());
      }
    }
    if (left.isEmpty()) {
      return left;
    }
    log(left, longest);
    return lifecycle.pause(longest) ? left : List.of();
  }

  /** A random part of a time that doubles with each round. */
  private Duration backoff(int round) {
    Duration doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(round, MAX_DOUBLINGS));
    Duration ceiling = doubled.compareTo(MAX_BACKOFF) < 0 ? doubled : MAX_BACKOFF;
    return Duration.ofNanos((long) (random.getAsDouble() * ceiling.toNanos()));
  }

  private void log(List<? extends RepeatedTask<?>> left, Duration wait) {
    Failure failure = left.get(0).last();
    if (failure != null) {
      log.log(
          Level.DEBUG,
          () ->
              "mailbox "
                  + mailbox
                  + ": "
                  + left.size()
                  + " to be repeated in "
                  + wait
                  + ": "
                  + failure.cause().getMessage());
    }
  }
}
