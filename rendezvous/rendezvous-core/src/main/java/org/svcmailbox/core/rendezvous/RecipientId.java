package org.svcmailbox.core.rendezvous;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names a mailbox: 32 bytes as 64 lower-case hex digits. */
public record RecipientId(String hex) {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
  private static final int SHOWN = 8;

  public RecipientId {
    if (!FORM.matcher(hex).matches()) {
      throw new IllegalArgumentException("a recipient has 64 lower-case hex digits");
    }
  }

  /** Reads 64 hex digits of either case; empty for any other text. */
  public static Optional<RecipientId> parse(String text) {
    String hex = text.toLowerCase(Locale.ROOT);
    return FORM.matcher(hex).matches() ? Optional.of(new RecipientId(hex)) : Optional.empty();
  }

  /** Only eight digits: the full id grants access. */
  @Override
  public String toString() {
    return hex.substring(0, SHOWN) + "…";
  }
}
