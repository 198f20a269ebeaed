package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings;

/** The fields of a SEND as its client wrote them; absent ones are null. */
public record SendFields(
    @Nullable String topic,
    @Nullable Payload payload,
    @Nullable String idemKey,
    @Nullable Map<String, @Nullable String> attrs,
    @Nullable String corrId,
    @Nullable String shardKey,
    @Nullable Long delayMs,
    @Nullable Long ttlMs,
    @Nullable String payloadHash,
    @Nullable String sig,
    @Nullable String traceparent,
    @Nullable String tracestate) {
  private static final Pattern DIGEST = Pattern.compile("b3:[0-9a-f]{64}");

  /**
   * Converts to core types.
   *
   * @param bounds the limits of one request
   * @throws SchemaException naming every refused field
   */
  public SendRequest checked(MailboxSettings.Request bounds) {
    FieldChecks checks = new FieldChecks();
    TopicName topicName = checks.required("topic", topic, TopicName::new);
    Payload bytes = checks.required("payload", payload, given -> given);
    IdemKey key = checks.required("idem_key", idemKey, IdemKey::new);
    Attributes attributes = checks.optional(attrs, given -> attributes(given, bounds));
    CorrId correlation = checks.optional(corrId, CorrId::new);
    ShardKey sticky = checks.optional(shardKey, ShardKey::new);
    Duration delay = checks.optional(delayMs, FieldRanges::delay);
    Duration ttl = checks.optional(ttlMs, FieldRanges::ttl);
    Digest hash = checks.optional(payloadHash, SendFields::digest);
    Signature signature = checks.optional(sig, Signature::new);
    TraceContext trace = trace(checks);
    return checks.end(
        () ->
            new SendRequest(
                requireNonNull(topicName),
                requireNonNull(bytes),
                requireNonNull(key),
                attributes != null ? attributes : Attributes.NONE,
                correlation,
                sticky,
                delay != null ? delay : Duration.ZERO,
                ttl,
                hash,
                signature,
                trace));
  }

  /**
   * Converts a batch to core types, in order.
   *
   * @param messages absent ones are null
   * @throws SchemaException naming every refused field
   * @throws FrameTooLargeException if the payloads together are too large
   */
  public static <S> List<SendRequest> checkedBatch(
      @Nullable List<@Nullable S> messages,
      Function<S, SendFields> fields,
      MailboxSettings.Request bounds) {
    List<SendRequest> requests =
        BatchElements.checked(
            "messages", messages, bounds.batch(), message -> fields.apply(message).checked(bounds));
    long bytes = requests.stream().mapToLong(request -> request.payload().size()).sum();
    if (bytes > bounds.maxFrame()) {
      throw new FrameTooLargeException("the payloads together", bounds.maxFrame());
    }
    return requests;
  }

  /** Refuses an invalid trace context in a field; an invalid trace header is only ignored. */
  private @Nullable TraceContext trace(FieldChecks checks) {
    if (traceparent == null && tracestate != null) {
      checks.add(new SchemaException("traceparent", "is required with tracestate"));
    }
    return checks.optional(traceparent, this::trace);
  }

  private TraceContext trace(String parent) {
    TraceContext trace = TraceContext.of(parent, tracestate);
    if (trace == null) {
      throw new SchemaException("traceparent", "is not a valid W3C Trace Context value");
    }
    if (tracestate != null && trace.state() == null) {
      throw new SchemaException(
          "tracestate", "is not a valid W3C Trace Context value, or is too long");
    }
    return trace;
  }

  private static Digest digest(String text) {
    if (!DIGEST.matcher(text).matches()) {
      throw new SchemaException("payload_hash", "must be b3: and 64 lower-case hex digits");
    }
    return Digest.parse(text);
  }

  private static Attributes attributes(
      Map<String, @Nullable String> given, MailboxSettings.Request bounds) {
    if (given.size() > bounds.attrs()) {
      throw new SchemaException("attrs", "must have at most " + bounds.attrs() + " entries");
    }
    given.forEach(
        (key, value) -> {
          if (value == null) {
            throw new SchemaException("attrs." + key, "must be a string");
          }
          if (value.length() > bounds.attrValue()) {
            throw new SchemaException(
                "attrs." + key, "must have at most " + bounds.attrValue() + " characters");
          }
        });
    return given.isEmpty() ? Attributes.NONE : new Attributes(given);
  }
}
