package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;

/**
 * What operators have done with dead letters. Everything that changes something needs the right to
 * {@code dlq} of each topic concerned, looking on {@code dlq.view}, {@link #resend} {@code
 * dlq.edit}. Throws {@code DeniedException} without, {@code NotFoundException} when there is no
 * such topic, letter or job, and {@code UnavailableException} when the broker or the database is
 * away. What changes something is in the audit.
 */
public interface RedriveService {
  /** The most jobs of one list. */
  int MAX_JOBS = 100;

  /**
   * What is asked of a job.
   *
   * @param filter the letters it means, null when they are named
   * @param msgIds the letters, 1 to {@link Selection#MOST_CHOSEN}; null when a filter means them.
   *     Those that are no dead letter of the topic are left out.
   * @param rate letters a second, at most {@link JobOrder#MAX_RATE}; null for the default
   * @param toTopic where they go as new messages, null for where they came from
   */
  record Wanted(
      TopicName topic,
      JobAction action,
      @Nullable LetterFilter filter,
      @Nullable List<MsgId> msgIds,
      @Nullable Integer rate,
      @Nullable TopicName toTopic,
      String note) {}

  /**
   * A job as it stands.
   *
   * @param waitingFor why it moves nothing for now, in words; null when it does
   */
  record Status(Job job, @Nullable String waitingFor) {}

  /**
   * One letter to be sent again, as a new message.
   *
   * @param payload null for the letter's own
   * @param attrs null for the letter's own
   * @param toTopic null for the letter's topic
   * @param idemKey null for {@code resend-} and the letter's id
   */
  record Resend(
      TopicName topic,
      MsgId msgId,
      @Nullable Payload payload,
      @Nullable Attributes attrs,
      @Nullable TopicName toTopic,
      @Nullable IdemKey idemKey,
      String note) {
    /** The attribute of the new message that names the letter. */
    public static final String LINK = "mailbox.resent_from";
  }

  /** How many letters a job would be about, by reason; changes nothing. */
  Map<DeadLetterReason, Long> dryRun(Caller caller, Wanted wanted);

  /**
   * Makes a job over the letters that are there now; it begins at once, and goes on after a
   * restart. What dies later is not touched.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException when too many jobs are not over
   */
  Status start(Caller caller, Wanted wanted);

  /** A job. */
  Status job(Caller caller, JobId id);

  /**
   * Jobs, newest first; the newest {@link Redrive#KEPT} that are over are kept.
   *
   * @param topic of this topic only, unless it is null
   */
  List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit);

  /** Has a job move nothing until it is resumed; one that is over stays so. */
  Status pause(Caller caller, JobId id);

  /** Has a job go on that was paused. */
  Status resume(Caller caller, JobId id);

  /** Ends a job where it stands; what it has moved stays moved. */
  Status cancel(Caller caller, JobId id);

  /**
   * Sends one letter again with something changed: as a new message that names the letter in its
   * attribute {@link Resend#LINK}. The letter leaves its queue in the same transaction; it stays
   * where it is when the outcome is a refusal, a conflict or a duplicate. Waits for the outcome.
   */
  SendOutcome resend(Caller caller, Resend resend);
}
