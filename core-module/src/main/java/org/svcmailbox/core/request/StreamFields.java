package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;

/** The fields that open a stream, as its client wrote them; absent ones are null. */
public record StreamFields(
    @Nullable String topic,
    @Nullable Long visibilityMs,
    @Nullable Integer shard,
    @Nullable Integer window,
    @Nullable Long windowBytes,
    @Nullable String onClose,
    @Nullable ResumeFields resume) {

  /** The fields of {@code resume}. */
  public record ResumeFields(@Nullable String stream, @Nullable Long last) {}

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  public StreamRequest checked(MailboxSettings settings) {
    FieldChecks checks = new FieldChecks();
    TopicName name = checks.required("topic", topic, TopicName::new);
    Duration visibility =
        checks.optional(
            visibilityMs, millis -> FieldRanges.visibility(millis, settings.visibility()));
    OnClose close = checks.optional(onClose, StreamFields::onClose);
    Resume resumed = checks.optional(resume, field -> resume(field, checks));
    return checks.end(
        () ->
            new StreamRequest(
                requireNonNull(name),
                visibility,
                shard,
                requireNonNullElse(window, StreamRequest.DEFAULT_WINDOW),
                requireNonNullElse(windowBytes, StreamRequest.DEFAULT_WINDOW_BYTES),
                requireNonNullElse(close, OnClose.KEEP),
                resumed));
  }

  private static OnClose onClose(String text) {
    return switch (text) {
      case "keep" -> OnClose.KEEP;
      case "nack" -> OnClose.NACK;
      default -> throw new SchemaException("on_close", "must be keep or nack");
    };
  }

  private static @Nullable Resume resume(ResumeFields field, FieldChecks checks) {
    String stream = checks.required("resume.stream", field.stream(), text -> text);
    Long last = checks.required("resume.last", field.last(), number -> number);
    return stream == null || last == null ? null : new Resume(stream, last);
  }
}
