package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.RedriveService.Status;
import org.svcmailbox.core.time.Ticker;

/**
 * Counts letters that jobs redrove and that are dead again; a count is up to two seconds old. Any
 * thread.
 */
final class DeadAgain {
  /** Jobs that are remembered. */
  static final int MOST = 1_000;

  private static final Logger LOG = System.getLogger(DeadAgain.class.getName());
  private static final Duration AGE = Duration.ofSeconds(2);

  private record Counted(long letters, long at) {}

  private final LetterIndex index;
  private final Ticker ticker;
  private final Map<JobId, Counted> known = new ConcurrentHashMap<>();

  DeadAgain(LetterIndex index, Ticker ticker) {
    this.index = index;
    this.ticker = ticker;
  }

  Status count(Status job) {
    return count(List.of(job)).get(0);
  }

  /** Adds the counts in one query; without a database they are unknown. */
  List<Status> count(List<Status> jobs) {
    long now = ticker.nanos();
    List<JobId> asked =
        jobs.stream()
            .filter(status -> status.job().spec().action() == JobAction.REDRIVE)
            .map(status -> status.job().id())
            .filter(id -> !isFresh(known.get(id), now))
            .toList();
    if (!asked.isEmpty()) {
      ask(asked, now);
    }
    return jobs.stream().map(status -> status.withDeadAgain(letters(status, now))).toList();
  }

  private static boolean isFresh(@Nullable Counted counted, long now) {
    return counted != null && now - counted.at() < AGE.toNanos();
  }

  private void ask(List<JobId> asked, long now) {
    try {
      Map<JobId, Long> found = index.countByJob(asked);
      if (known.size() + asked.size() > MOST) {
        known.clear();
      }
      asked.forEach(id -> known.put(id, new Counted(found.getOrDefault(id, 0L), now)));
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "Letters of jobs could not be counted", e);
    }
  }

  private @Nullable Long letters(Status status, long now) {
    Counted counted = known.get(status.job().id());
    return counted != null && isFresh(counted, now) ? counted.letters() : null;
  }
}
