package org.svcmailbox.worker.command;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.PublishException;

/** Runs a replay to its end, and waits while the topic or the database is away. */
final class PatientReplay {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** One step of a replay; returns false at its end. */
  interface Step {
    boolean run() throws InterruptedException;
  }

  private final Step step;
  private final Patience patience;
  private final Runnable progress;

  /**
   * Does not start yet.
   *
   * @param patience how long to repeat a failing step
   * @param progress called after each successful step
   */
  PatientReplay(Step step, Patience patience, Runnable progress) {
    this.step = requireNonNull(step, "step");
    this.patience = requireNonNull(patience, "patience");
    this.progress = requireNonNull(progress, "progress");
  }

  /** Sends everything; returns the failure of the last try if the time ended first. */
  Optional<RuntimeException> run() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    while (true) {
      RuntimeException failure;
      try {
        if (!step.run()) {
          return Optional.empty();
        }
        progress.run();
        patience.renew();
        pause = FIRST_PAUSE;
        continue;
      } catch (PublishException | OutboxStoreException e) {
        failure = e;
      }
      @Nullable Duration asked = retryAfter(failure);
      if (!patience.await(asked == null ? pause : asked)) {
        return Optional.of(failure);
      }
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
  }

  private static @Nullable Duration retryAfter(RuntimeException failure) {
    return failure instanceof PublishException why ? why.retryAfter().orElse(null) : null;
  }
}
