package org.svcmailbox.core.redrive.run;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.ErrorPattern;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.redrive.Selection;

/** Selects the letters of new jobs, stores the jobs and schedules them. Uses a default rate. */
record JobStarter(
    Redrive.Letters letters,
    JobStore store,
    JobSchedule schedule,
    JobPermits permits,
    UnansweredStarts unanswered,
    RandomGenerator random,
    int rate) {
  static final String ACTION = "dlq.job.start";

  /** Selects the letters that are dead now; later ones are not included. */
  SelectedLetters select(RedriveService.JobRequest request) {
    LetterPosition end = letters.queues().frontier();
    letters.deadLetters().flush();
    LetterFilter filter = request.filter();
    if (filter != null) {
      letters.deadLetters().requireGrouped(request.topic(), filter);
      return new SelectedLetters(
          new Selection.Matching(filter),
          end,
          letters.index().count(request.topic(), filter, end),
          () ->
              patterns(
                  letters.index().groups(request.topic(), filter, Job.MAX_PATTERNS).stream()
                      .map(LetterGroup::pattern)));
    }
    List<DeadLetter> chosen =
        requireNonNull(request.msgIds()).stream()
            .flatMap(id -> letters.index().find(request.topic(), id).stream())
            .filter(letter -> letter.position().compareTo(end) < 0)
            .distinct()
            .toList();
    Map<DeadLetterReason, Long> counts = new HashMap<>();
    chosen.forEach(letter -> counts.merge(letter.reason(), 1L, Long::sum));
    return new SelectedLetters(
        new Selection.Chosen(chosen.stream().map(DeadLetter::position).toList()),
        end,
        counts,
        () -> patterns(chosen.stream().map(letter -> ErrorPattern.of(letter.lastError()))));
  }

  /** The first texts, without letters that have none. */
  private static List<String> patterns(Stream<ErrorPattern> found) {
    return found
        .map(ErrorPattern::text)
        .filter(text -> !text.isEmpty())
        .distinct()
        .limit(Job.MAX_PATTERNS)
        .toList();
  }

  JobRun start(RedriveService.JobRequest request, AuditEntry who) {
    SelectedLetters selected = select(request);
    return start(request.spec(selected.selection(), rate), selected, who);
  }

  /** Starts a job; {@code who} is its audit entry without subject and note. */
  JobRun start(JobSpec spec, SelectedLetters selected, AuditEntry who) {
    Job job =
        new Job(
            JobId.random(random),
            spec,
            selected.end(),
            selected.byReason(),
            selected.patterns().get(),
            who.actor(),
            who.at(),
            JobProgress.initial(who.at()));
    AuditEntry entry =
        new AuditEntry(
            who.at(),
            who.actor(),
            who.address(),
            who.action(),
            job.id().value(),
            JobNotes.start(job));
    permits.follow(job);
    create(job, entry);
    return schedule.add(job);
  }

  private void create(Job job, AuditEntry entry) {
    try {
      store.create(job, entry);
    } catch (UnavailableException e) {
      unanswered.add(job.id());
      throw e;
    }
  }
}
