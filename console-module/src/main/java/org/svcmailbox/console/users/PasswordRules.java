package org.svcmailbox.console.users;

import java.util.Optional;

/** The rules for a new password. The minimum length is that of {@code mailbox-user}. */
public final class PasswordRules {
  /** In UTF-16 units. A sign-in does not even try longer ones. */
  public static final int MAX_LENGTH = 1_000;

  static final int MIN_CHARACTERS = 12;

  private PasswordRules() {}

  /** Why a user cannot have the new password; empty if nothing speaks against it. */
  public static Optional<String> objection(String current, String next) {
    if (next.codePointCount(0, next.length()) < MIN_CHARACTERS) {
      return Optional.of("A password has at least %d characters.".formatted(MIN_CHARACTERS));
    }
    if (next.length() > MAX_LENGTH) {
      return Optional.of("A password has at most %d characters.".formatted(MAX_LENGTH));
    }
    if (next.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("A password has no control characters.");
    }
    return next.equals(current)
        ? Optional.of("The new password is the current one.")
        : Optional.empty();
  }
}
