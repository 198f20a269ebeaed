package org.svcmailbox.web;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.redrive.RedriveService;

/** Jobs that a test sets; records the last call. */
public final class FakeRedrive implements RedriveService {
  /** The last call with its arguments, except those with a field of their own. */
  public volatile String asked = "";

  public volatile @Nullable JobRequest request;

  public volatile @Nullable Resend resend;

  /** The only job. */
  public volatile @Nullable Status job;

  /** Thrown by the next starts unless null. */
  public volatile @Nullable SaturatedException full;

  /** The counts of a dry run. */
  public volatile Map<DeadLetterReason, Long> counts = Map.of();

  /** The outcome of a resend. */
  public volatile SendOutcome outcome =
      new SendOutcome.Accepted(MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAW"), false);

  @Override
  public Map<DeadLetterReason, Long> dryRun(Caller caller, JobRequest what) {
    asked = "dry run";
    request = what;
    return counts;
  }

  @Override
  public Status start(Caller caller, JobRequest what) {
    asked = "start";
    request = what;
    SaturatedException refusal = full;
    if (refusal != null) {
      throw refusal;
    }
    return known();
  }

  private Status known() {
    Status known = job;
    if (known == null) {
      throw new NotFoundException("there is no job");
    }
    return known;
  }

  private Status known(String verb, JobId id) {
    asked = verb + " " + id;
    return known();
  }

  @Override
  public Status job(Caller caller, JobId id) {
    return known("job", id);
  }

  @Override
  public List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit) {
    asked = "jobs " + topic + " " + limit;
    Status known = job;
    return known == null ? List.of() : List.of(known);
  }

  @Override
  public Status pause(Caller caller, JobId id) {
    return known("pause", id);
  }

  @Override
  public Status resume(Caller caller, JobId id) {
    return known("resume", id);
  }

  @Override
  public Status rate(Caller caller, JobId id, int rate) {
    return known("rate " + rate, id);
  }

  @Override
  public Status cancel(Caller caller, JobId id) {
    return known("cancel", id);
  }

  @Override
  public SendOutcome resend(Caller caller, Resend what) {
    asked = "resend";
    resend = what;
    return outcome;
  }
}
