package org.svcmailbox.core.redrive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.Clustered;

/**
 * Redrives, discards and resends dead letters for operators. Changes require {@code dlq} of each
 * topic, views {@code dlq.view}, {@link #resend} {@code dlq.edit}; changes are audited. Throws
 * {@code NotFoundException} for an unknown topic, letter or job, and {@code UnavailableException}
 * when the broker or the database is away.
 */
public interface RedriveService {
  int MAX_JOBS = 100;

  /** How many finished jobs are kept; the audit has all of them. */
  int KEPT = 1_000;

  /**
   * A request for a job over the letters that match a filter, or that have these ids. Ids of no
   * dead letter are ignored.
   *
   * @param rate letters per second; null for the default
   * @param first how many letters it moves before it pauses; null for no pause
   * @param toTopic null redrives in place
   * @param ttl null keeps each letter's own
   */
  record JobRequest(
      TopicName topic,
      JobAction action,
      @Nullable LetterFilter filter,
      @Nullable List<MsgId> msgIds,
      @Nullable Integer rate,
      @Nullable Integer first,
      @Nullable TopicName toTopic,
      @Nullable Duration ttl,
      String note) {
    public JobSpec spec(Selection selection, int defaultRate) {
      return new JobSpec(
          topic, action, selection, rate == null ? defaultRate : rate, first, toTopic, ttl, note);
    }
  }

  /**
   * A job and its current obstacle.
   *
   * @param waitingFor why it moves nothing now; null while it does
   * @param deadAgain its letters that are dead again; null if unknown
   */
  record Status(Job job, @Nullable String waitingFor, @Nullable Long deadAgain) {
    public Status(Job job, @Nullable String waitingFor) {
      this(job, waitingFor, null);
    }

    public Status withDeadAgain(@Nullable Long letters) {
      return new Status(job, waitingFor, letters);
    }

    /** The status of a job that does not run, with the reason if the service paused it. */
    public static Status idle(Job job) {
      boolean isPaused = job.progress().state() == JobState.PAUSED;
      return new Status(job, isPaused ? job.progress().ending() : null);
    }
  }

  /**
   * A request to send one letter as a new message. Null fields, except the key, keep the letter's
   * own.
   */
  record Resend(
      TopicName topic,
      MsgId msgId,
      @Nullable Payload payload,
      @Nullable Attributes attrs,
      @Nullable TopicName toTopic,
      @Nullable IdemKey idemKey,
      @Nullable Duration ttl,
      String note) {
    /** The attribute of the new message that names the letter, if it has room for it. */
    public static final String LINK = "mailbox.resent_from";
  }

  /** Counts by reason the letters that a job would cover. */
  Map<DeadLetterReason, Long> dryRun(Caller caller, JobRequest request);

  /**
   * Starts a job over the letters that are dead now; it survives restarts. Throws {@code
   * SaturatedException} if too many jobs are unfinished.
   */
  Status start(Caller caller, JobRequest request);

  @Clustered
  Status job(Caller caller, JobId id);

  /** Jobs of a topic or of all, newest first; the newest {@link #KEPT} finished ones are kept. */
  @Clustered
  List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit);

  Status pause(Caller caller, JobId id);

  Status resume(Caller caller, JobId id);

  /** Changes the letters per second of an unfinished job, from its next turn on. */
  Status rate(Caller caller, JobId id, int rate);

  /** Ends a job. Letters that it has moved stay moved. */
  Status cancel(Caller caller, JobId id);

  /**
   * Sends one letter with changes as a new message that names it in {@link Resend#LINK}, and waits
   * for the outcome. One transaction removes the letter; it stays after a refusal, conflict or
   * duplicate.
   */
  SendOutcome resend(Caller caller, Resend resend);
}
