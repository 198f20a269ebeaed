package org.svcmailbox.ejb.redrive;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.FilterText;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobId;
import org.svcmailbox.core.redrive.JobOrder;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.ReasonCounts;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.core.redrive.UnderWay;

/** The row of a job; what it is about never changes, how far it has come does. */
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

  @Column(name = "to_topic")
  private @Nullable String toTopic;

  @Column(name = "note")
  private String note;

  @Column(name = "frontier")
  private long frontier;

  @Column(name = "by_reason")
  private String byReason;

  @Column(name = "started_by")
  private String startedBy;

  @Column(name = "started_at")
  private long startedAt;

  @Column(name = "state")
  private String state;

  @Column(name = "reached")
  private long reached;

  @Column(name = "under_way_segment")
  private int underWaySegment;

  @Column(name = "under_way")
  private String underWay;

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
    JobOrder order = job.order();
    Selection selection = order.selection();
    this.id = job.id().value();
    this.topic = order.topic().value();
    this.action = order.action().text();
    this.filter =
        selection instanceof Selection.Matching matching ? FilterText.of(matching.filter()) : null;
    this.chosen =
        selection instanceof Selection.Chosen some ? JobTexts.places(some.places()) : null;
    this.times = selection instanceof Selection.Due due ? due.times() : null;
    this.rate = order.rate();
    this.toTopic = order.toTopic() == null ? null : order.toTopic().value();
    this.note = order.note();
    this.frontier = job.end().bits();
    this.byReason = ReasonCounts.text(job.byReason());
    this.startedBy = job.startedBy();
    this.startedAt = job.startedAt().toEpochMilli();
    set(job.progress());
  }

  /** How far it has come now. */
  final void set(JobProgress progress) {
    state = progress.state().text();
    reached = progress.reached().bits();
    underWaySegment = progress.underWay().segment();
    underWay = JobTexts.places(progress.underWay().places());
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
        order(),
        new Place(frontier),
        ReasonCounts.parse(byReason),
        startedBy,
        Instant.ofEpochMilli(startedAt),
        progress());
  }

  private JobOrder order() {
    return new JobOrder(
        new TopicName(topic),
        JobAction.valueOf(action.toUpperCase(Locale.ROOT)),
        selection(),
        rate,
        toTopic == null ? null : new TopicName(toTopic),
        note);
  }

  private Selection selection() {
    if (times != null) {
      return new Selection.Due(times);
    }
    return filter == null
        ? new Selection.Chosen(JobTexts.places(chosen == null ? "" : chosen))
        : new Selection.Matching(FilterText.parse(filter));
  }

  private JobProgress progress() {
    return new JobProgress(
        JobState.valueOf(state.toUpperCase(Locale.ROOT)),
        new Place(reached),
        new UnderWay(underWaySegment, Set.copyOf(JobTexts.places(underWay))),
        done,
        failed,
        JobTexts.errors(errors),
        Instant.ofEpochMilli(updatedAt),
        finishedAt == null ? null : Instant.ofEpochMilli(finishedAt),
        ending);
  }
}
