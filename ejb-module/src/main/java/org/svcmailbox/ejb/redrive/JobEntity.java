package org.svcmailbox.ejb.redrive;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.FilterText;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.PendingAction;
import org.svcmailbox.core.redrive.ReasonCounts;
import org.svcmailbox.core.redrive.Selection;

/** The row of a job; only its progress changes. */
@Entity
@Table(name = "dlq_job")
@NamedQuery(name = JobEntity.BY_ID, query = "select j from JobEntity j where j.id = :id")
@NamedQuery(name = JobEntity.NEWEST, query = "select j from JobEntity j order by j.no desc")
@NamedQuery(
    name = JobEntity.OF_TOPIC,
    query = "select j from JobEntity j where j.topic = :topic order by j.no desc")
@NamedQuery(
    name = JobEntity.UNFINISHED,
    query = "select j from JobEntity j where j.state in ('running', 'paused') order by j.no")
@NamedQuery(
    name = JobEntity.FINISHED,
    query =
        "select j.no from JobEntity j where j.state not in ('running', 'paused')"
            + " order by j.no desc")
@NamedQuery(name = JobEntity.DELETE, query = "delete from JobEntity j where j.no in :numbers")
class JobEntity {
  static final String BY_ID = "JobEntity.byId";
  static final String NEWEST = "JobEntity.newest";
  static final String OF_TOPIC = "JobEntity.ofTopic";
  static final String UNFINISHED = "JobEntity.unfinished";
  static final String FINISHED = "JobEntity.finished";
  static final String DELETE = "JobEntity.delete";

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "no")
  private int no;

  @Column(name = "id")
  private String id;

  @Column(name = "topic")
  private String topic;

  @Column(name = "action")
  private String action;

  @Column(name = "filter")
  private @Nullable String filter;

  @Column(name = "chosen")
  private @Nullable String chosen;

  @Column(name = "times")
  private @Nullable Integer times;

  @Column(name = "rate")
  private int rate;

  @Column(name = "hold_after")
  private @Nullable Integer first;

  @Column(name = "to_topic")
  private @Nullable String toTopic;

  @Column(name = "ttl_ms")
  private @Nullable Long ttlMs;

  @Column(name = "note")
  private String note;

  @Column(name = "frontier")
  private long frontier;

  @Column(name = "by_reason")
  private String byReason;

  @Column(name = "patterns")
  private @Nullable String patterns;

  @Column(name = "started_by")
  private String startedBy;

  @Column(name = "started_by_name")
  private @Nullable String startedByName;

  @Column(name = "started_at")
  private long startedAt;

  @Column(name = "state")
  private String state;

  @Column(name = "reached")
  private long reached;

  @Column(name = "under_way_segment")
  private int pendingSegment;

  @Column(name = "under_way")
  private String pending;

  @Column(name = "done")
  private long done;

  @Column(name = "failed")
  private long failed;

  @Column(name = "errors")
  private String errors;

  @Column(name = "updated_at")
  private long updatedAt;

  @Column(name = "finished_at")
  private @Nullable Long finishedAt;

  @Column(name = "ending")
  private @Nullable String ending;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected JobEntity() {}

  @SuppressWarnings("NullAway.Init") // set() sets the rest
  JobEntity(Job job) {
    JobSpec spec = job.spec();
    Selection selection = spec.selection();
    this.id = job.id().value();
    this.topic = spec.topic().value();
    this.action = spec.action().text();
    this.filter =
        selection instanceof Selection.Matching matching ? FilterText.of(matching.filter()) : null;
    this.chosen =
        selection instanceof Selection.Chosen some ? JobTexts.positions(some.positions()) : null;
    this.times = selection instanceof Selection.Due due ? due.times() : null;
    this.toTopic = spec.toTopic() == null ? null : spec.toTopic().value();
    this.ttlMs = spec.ttl() == null ? null : spec.ttl().toMillis();
    this.note = spec.note();
    this.frontier = job.end().bits();
    this.byReason = ReasonCounts.text(job.byReason());
    this.patterns = JobTexts.lines(job.patterns());
    this.startedBy = job.startedBy().id();
    this.startedByName = job.startedBy().name();
    this.startedAt = job.startedAt().toEpochMilli();
    set(job);
  }

  /** Takes over what changes while a job runs. */
  final void set(Job job) {
    JobProgress progress = job.progress();
    rate = job.spec().rate();
    first = job.spec().first();
    state = progress.state().text();
    reached = progress.reached().bits();
    pendingSegment = progress.pending().segment();
    pending = JobTexts.positions(progress.pending().positions());
    done = progress.done();
    failed = progress.failed();
    errors = JobTexts.errors(progress.errors());
    updatedAt = progress.updatedAt().toEpochMilli();
    finishedAt = progress.finishedAt() == null ? null : progress.finishedAt().toEpochMilli();
    ending = progress.ending();
  }

  Job job() {
    return new Job(
        new JobId(id),
        spec(),
        new LetterPosition(frontier),
        ReasonCounts.parse(byReason),
        JobTexts.lines(patterns == null ? "" : patterns),
        new Actor(startedBy, startedByName),
        Instant.ofEpochMilli(startedAt),
        progress());
  }

  private JobSpec spec() {
    return new JobSpec(
        new TopicName(topic),
        JobAction.parse(action),
        selection(),
        rate,
        first,
        toTopic == null ? null : new TopicName(toTopic),
        ttlMs == null ? null : Duration.ofMillis(ttlMs),
        note);
  }

  private Selection selection() {
    if (times != null) {
      return new Selection.Due(times);
    }
    return filter == null
        ? new Selection.Chosen(JobTexts.positions(chosen == null ? "" : chosen))
        : new Selection.Matching(FilterText.parse(filter));
  }

  private JobProgress progress() {
    return new JobProgress(
        JobState.valueOf(state.toUpperCase(Locale.ROOT)),
        new LetterPosition(reached),
        new PendingAction(pendingSegment, Set.copyOf(JobTexts.positions(pending))),
        done,
        failed,
        JobTexts.errors(errors),
        Instant.ofEpochMilli(updatedAt),
        finishedAt == null ? null : Instant.ofEpochMilli(finishedAt),
        ending);
  }
}
