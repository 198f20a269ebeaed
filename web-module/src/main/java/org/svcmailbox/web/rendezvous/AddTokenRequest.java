package org.svcmailbox.web.rendezvous;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body that creates a token. */
record AddTokenRequest(
    @Nullable List<@Nullable String> rights,
    @Nullable String mailbox,
    @Nullable String expiresIn,
    @Nullable String note)
    implements JsonRequest {
  /** The body in core types. */
  record Checked(
      @Nullable RecipientId mailbox, Set<Right> rights, @Nullable Duration life, String note) {}

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  Checked checked() {
    FieldChecks checks = new FieldChecks();
    Set<Right> allowed = checks.required("rights", rights, RightText::parse);
    RecipientId only = checks.optional(mailbox, AddTokenRequest::recipient);
    Duration life = checks.optional(expiresIn, text -> FieldChecks.duration("expires_in", text));
    String why = checks.optional(note, AddTokenRequest::text);
    return checks.end(
        () -> new Checked(only, requireNonNull(allowed), life, why == null ? "" : why));
  }

  private static RecipientId recipient(String text) {
    return RecipientId.parse(text)
        .orElseThrow(() -> new SchemaException("mailbox", "must be 64 hex digits"));
  }

  private static String text(String given) {
    boolean isPlain = given.codePoints().allMatch(AddTokenRequest::isPrintable);
    if (!isPlain) {
      throw new SchemaException("note", "must be one line of text");
    }
    return given.strip();
  }

  private static boolean isPrintable(int codePoint) {
    return !Character.isISOControl(codePoint)
        && Character.getType(codePoint) != Character.SURROGATE;
  }

  /** Omits the mailbox. */
  @Override
  public String toString() {
    return "AddTokenRequest";
  }
}
