package org.svcmailbox.web.redrive;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.RedriveService.JobRequest;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.core.request.FieldRanges;
import org.svcmailbox.web.deadletter.FilterJson;
import org.svcmailbox.web.json.JsonRequest;
import org.svcmailbox.web.json.MessageIds;
import org.svcmailbox.web.json.OperatorNote;

/** The JSON body that starts a job. */
record StartJobRequest(
    @Nullable String action,
    @Nullable FilterJson filter,
    @Nullable List<@Nullable String> msgIds,
    @Nullable Long ratePerS,
    @Nullable Long first,
    @Nullable Boolean dryRun,
    @Nullable String toTopic,
    @Nullable Long ttlMs,
    @Nullable String note)
    implements JsonRequest {

  boolean isDryRun() {
    return dryRun != null && dryRun;
  }

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  JobRequest checked(TopicName topic) {
    FieldChecks checks = new FieldChecks();
    JobAction what = checks.required("action", action, StartJobRequest::action);
    var meant = checks.optional(filter, FilterJson::checked);
    var named = checks.optional(msgIds, ids -> MessageIds.checked(ids, Selection.MOST_CHOSEN));
    var rate = checks.optional(ratePerS, RateRequest::rate);
    var hold = checks.optional(first, number -> first(number, what));
    var to = checks.optional(toTopic, text -> to(text, what));
    var ttl = checks.optional(ttlMs, millis -> ttl(millis, what));
    String why =
        isDryRun()
            ? checks.optional(note, OperatorNote::checked)
            : checks.required("note", note, OperatorNote::checked);
    if ((filter == null) == (msgIds == null)) {
      checks.add(
          new SchemaException(
              "filter", "is required without msg_ids, and must be absent with them"));
    }
    return checks.end(
        () ->
            new JobRequest(
                topic,
                requireNonNull(what),
                meant,
                named,
                rate,
                hold,
                to,
                ttl,
                why == null ? "" : why));
  }

  private static JobAction action(String text) {
    for (JobAction action : JobAction.values()) {
      if (action.text().equals(text)) {
        return action;
      }
    }
    throw new SchemaException("action", "must be reprocess or discard");
  }

  private static Integer first(long first, @Nullable JobAction what) {
    if (what == JobAction.DISCARD) {
      throw new SchemaException("first", "must be absent when action is discard");
    }
    if (first < 1 || first > JobSpec.MAX_FIRST) {
      throw new SchemaException("first", "must be between 1 and " + JobSpec.MAX_FIRST);
    }
    return (int) first;
  }

  private static TopicName to(String text, @Nullable JobAction what) {
    if (what == JobAction.DISCARD) {
      throw new SchemaException("to_topic", "must be absent when action is discard");
    }
    return named("to_topic", text);
  }

  private static Duration ttl(long millis, @Nullable JobAction what) {
    if (what == JobAction.DISCARD) {
      throw new SchemaException("ttl_ms", "must be absent when action is discard");
    }
    return FieldRanges.ttl(millis);
  }

  static TopicName named(String field, String text) {
    try {
      return new TopicName(text);
    } catch (SchemaException e) {
      throw new SchemaException(field, e.violations().get(0).message());
    }
  }
}
