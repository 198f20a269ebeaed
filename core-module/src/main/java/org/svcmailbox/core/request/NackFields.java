package org.svcmailbox.core.request;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.core.delivery.SettleRequest.Reject;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;

/** The fields of a NACK as its client wrote them; absent ones are null. */
public record NackFields(
    @Nullable String msgId,
    @Nullable String receipt,
    @Nullable String reason,
    @Nullable Long delayMs,
    @Nullable Boolean deadLetter) {

  /**
   * Converts to a {@link Reject} if {@code dead_letter} is set, else to a {@link Nack}.
   *
   * @throws SchemaException naming every refused field
   */
  public SettleRequest checked() {
    FieldChecks checks = new FieldChecks();
    MsgId id = checks.required("msg_id", msgId, MsgId::parse);
    Receipt held = checks.optional(receipt, Receipt::new);
    String words = checks.optional(reason, NackFields::words);
    Duration delay = checks.optional(delayMs, FieldRanges::delay);
    if (!Boolean.TRUE.equals(deadLetter)) {
      return checks.end(() -> new Nack(requireNonNull(id), held, words, delay));
    }
    if (reason == null || reason.isBlank()) {
      checks.add(new SchemaException("reason", "is required with dead_letter"));
    }
    if (delayMs != null) {
      checks.add(new SchemaException("delay_ms", "must be absent with dead_letter"));
    }
    return checks.end(() -> new Reject(requireNonNull(id), held, requireNonNull(words)));
  }

  private static String words(String given) {
    if (given.length() > Nack.MAX_REASON) {
      throw new SchemaException("reason", "must have at most " + Nack.MAX_REASON + " characters");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(given)) {
      throw new SchemaException("reason", "is not well-formed Unicode");
    }
    return given;
  }
}
