package org.svcmailbox.core.redrive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;

/** The contract of every {@link JobStore}; each test begins with an empty one. */
public interface JobStoreContract {
  /** A moment that every database keeps as it is. */
  Instant NOW = Instant.parse("2026-11-22T12:00:00.123Z");

  TopicName ORDERS = new TopicName("orders");

  /** The starter of the samples. */
  Actor STARTER = new Actor("k1:00", "console:\u20ac");

  JobStore store();

  private static Job job(int number, TopicName topic, Selection selection) {
    return new Job(
        JobId.random(new Random(number)),
        new JobSpec(
            topic,
            JobAction.REDRIVE,
            selection,
            7,
            number == 1 ? 3 : null,
            new TopicName("other"),
            Duration.ofMillis(number == 0 ? 1 : 31_536_000_000L),
            "a \u20ac"),
        new LetterPosition(1_000 + number),
        Map.of(DeadLetterReason.EXPIRED, 3L, DeadLetterReason.MAX_ATTEMPTS, 4_000_000_000L),
        number == 0 ? List.of() : List.of("timed out after # ms", "HTTP 503 \u20ac %"),
        STARTER,
        NOW,
        JobProgress.initial(NOW));
  }

  /** A job that has just begun. */
  static Job plain(int number) {
    return job(number, ORDERS, new Selection.Matching(LetterFilter.ALL));
  }

  /** That it was made. */
  static AuditEntry entry(Job job) {
    return new AuditEntry(NOW, STARTER, "", "dlq.job.test", job.id().value(), "");
  }

  private Job created(Job job) {
    store().create(job, entry(job));
    return job;
  }

  @Test
  default void aJobIsReadBackAsItWasWritten() {
    LetterFilter filter =
        new LetterFilter(
            DeadLetterReason.INTEGRITY,
            List.of(new Fingerprint(7), new Fingerprint(-7)),
            NOW,
            null,
            3,
            "a\u0000=&%",
            null,
            Map.of("k=\u0000", "v&\u20ac"),
            List.of("eins", "zwei*"),
            null);
    Job matching = created(job(1, ORDERS, new Selection.Matching(filter)));
    Job chosen =
        created(
            job(
                2,
                ORDERS,
                new Selection.Chosen(List.of(new LetterPosition(9), new LetterPosition(3)))));
    Job due = created(job(4, ORDERS, new Selection.Due(3)));
    assertEquals(Optional.of(due), store().find(due.id()));
    assertEquals(Optional.of(matching), store().find(matching.id()));
    assertEquals(Optional.of(chosen), store().find(chosen.id()));
    assertEquals(Optional.empty(), store().find(JobId.random(new Random(3))));
  }

  @Test
  default void howFarItHasComeIsKept() {
    Job job = created(plain(1));
    JobProgress progress =
        job.progress()
            .withPending(
                new PendingAction(5, Set.of(new LetterPosition(8), new LetterPosition(7))), NOW)
            .withReached(
                new LetterPosition(6),
                List.of(new JobError(new MsgId(1, 2), "why\nnot\u0000")),
                NOW);
    store().save(job.with(progress));
    assertEquals(Optional.of(job.with(progress)), store().find(job.id()));
    Job failed = job.with(progress.withMoved(2, NOW).withFailure("no\nmore", NOW.plusSeconds(1)));
    store().save(failed, entry(job));
    assertEquals(Optional.of(failed), store().find(job.id()));
  }

  /** The database fell back behind its start. */
  @Test
  default void aJobThatTheStoreLostIsStoredAgain() {
    Job job = plain(1);
    Job paused = job.with(job.progress().withPause("why", NOW));
    store().save(paused);
    assertEquals(Optional.of(paused), store().find(job.id()));
    assertEquals(List.of(paused), store().unfinished());
  }

  @Test
  default void theListBeginsWithTheNewest() {
    Job first = created(plain(1));
    Job other = created(job(2, new TopicName("other"), new Selection.Matching(LetterFilter.ALL)));
    Job third = created(plain(3));
    assertEquals(List.of(third, other, first), store().list(null, 10));
    assertEquals(List.of(third, other), store().list(null, 2));
    assertEquals(List.of(third, first), store().list(ORDERS, 10));
  }

  @Test
  default void whatIsNotOverIsToldOldestFirstAndNeverPurged() {
    List<Job> over = new ArrayList<>();
    List<Job> running = new ArrayList<>();
    for (int number = 0; number < 12; number++) {
      Job job = created(plain(number));
      if (number % 3 == 0) {
        running.add(job);
      } else {
        JobState state = number % 2 == 0 ? JobState.DONE : JobState.CANCELLED;
        Job ended = job.with(job.progress().withState(state, NOW));
        store().save(ended);
        over.add(0, ended);
      }
    }
    assertEquals(running, store().unfinished());
    assertEquals(5, store().purge(3));
    assertEquals(0, store().purge(3));
    List<Job> left = new ArrayList<>(over.subList(0, 3));
    left.addAll(running);
    List<Job> found = new ArrayList<>(store().list(null, 100));
    left.sort(Collections.reverseOrder((a, b) -> Long.compare(a.end().bits(), b.end().bits())));
    assertEquals(left, found);
  }
}
