package org.svcmailbox.web.redrive;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobError;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.RedriveService.Status;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.web.deadletter.FilterJson;
import org.svcmailbox.web.deadletter.ReasonCounts;

/** The state of a job. */
record JobResponse(
    String jobId,
    String topic,
    String action,
    String state,
    long total,
    long done,
    long failed,
    long gone,
    long left,
    @Nullable Long deadAgain,
    Map<String, Long> byReason,
    List<String> patterns,
    int ratePerS,
    @Nullable Integer first,
    @Nullable Long secondsLeft,
    @Nullable String pausedBecause,
    @Nullable String toTopic,
    @Nullable Long ttlMs,
    String note,
    @Nullable FilterJson filter,
    @Nullable Integer msgIdsCount,
    @Nullable Integer reprocessedBelow,
    String startedBy,
    @Nullable String startedByName,
    String startedAt,
    String updatedAt,
    @Nullable String finishedAt,
    @Nullable String waitingFor,
    @Nullable String endedBecause,
    List<Failure> errors,
    long errorsDropped,
    @Nullable String advice) {

  /** A letter that the job could not process. */
  record Failure(String msgId, String detail) {
    static Failure of(JobError error) {
      return new Failure(error.msgId().toString(), error.detail());
    }
  }

  static JobResponse of(Status status) {
    Job job = status.job();
    JobSpec spec = job.spec();
    JobProgress now = job.progress();
    Selection selection = spec.selection();
    return new JobResponse(
        job.id().value(),
        spec.topic().value(),
        spec.action().text(),
        now.state().text(),
        job.total(),
        now.done(),
        now.failed(),
        job.gone(),
        job.left(),
        status.deadAgain(),
        ReasonCounts.json(job.byReason()),
        job.patterns(),
        spec.rate(),
        spec.first(),
        secondsLeft(job),
        pausedBecause(job),
        spec.toTopic() == null ? null : spec.toTopic().value(),
        spec.ttl() == null ? null : spec.ttl().toMillis(),
        spec.note(),
        selection instanceof Selection.Matching matching ? FilterJson.of(matching.filter()) : null,
        selection instanceof Selection.Chosen chosen ? chosen.positions().size() : null,
        selection instanceof Selection.Due due ? due.times() : null,
        job.startedBy().id(),
        job.startedBy().name(),
        Timestamps.text(job.startedAt()),
        Timestamps.text(now.updatedAt()),
        now.finishedAt() == null ? null : Timestamps.text(now.finishedAt()),
        status.waitingFor(),
        now.state().isOver() ? now.ending() : null,
        now.errors().stream().map(Failure::of).toList(),
        now.failed() - now.errors().size(),
        Advice.of(spec.action(), spec.ttl(), job.byReason()));
  }

  /** At the job's rate; null for one that is paused or over. */
  private static @Nullable Long secondsLeft(Job job) {
    return job.progress().state() == JobState.RUNNING
        ? (job.left() + job.spec().rate() - 1) / job.spec().rate()
        : null;
  }

  private static @Nullable String pausedBecause(Job job) {
    if (job.progress().state() != JobState.PAUSED) {
      return null;
    }
    if (job.progress().ending() != null) {
      return "database";
    }
    return job.isHeld() ? "first" : "operator";
  }
}
