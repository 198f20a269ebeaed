package org.svcmailbox.core.capability;

import java.time.Duration;
import org.svcmailbox.core.settings.FairShare;

/**
 * The limits of the capabilities of the console's users.
 *
 * @param life of a session's capability
 * @param mostMintings the most unexpired ones of all users, ended ones included
 * @param share the part of them that one user may have
 */
public record ConsoleTerms(Duration life, long mostMintings, FairShare share) {
  /** Two of the session's own and ten elevated ones, with some to spare. */
  private static final int A_SESSION = 16;

  /**
   * The limits for {@code maxSessions} sessions.
   *
   * @param life of a session's capability
   */
  public static ConsoleTerms of(int maxSessions, Duration life, FairShare share) {
    return new ConsoleTerms(life, (long) A_SESSION * maxSessions, share);
  }
}
