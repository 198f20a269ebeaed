package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;

/**
 * Operators' work on the rendezvous door. Each method requires {@code admin} without a topic caveat
 * and throws {@code DeniedException} otherwise, {@code NotFoundException} while the door is off,
 * and {@code UnavailableException} when the database is away. A change holds at once and is
 * audited.
 */
public interface RendezvousAdmin {
  /** The most tokens of one page. */
  int MAX_PAGE = 1_000;

  /** Tokens that exist, and how many. */
  int MAX_TOKENS = 100_000;

  /** The most tokens of one mailbox. */
  int MAX_PER_MAILBOX = 8;

  /** The most tokens that are good for every mailbox. */
  int MAX_SERVER_WIDE = 64;

  /**
   * A token that was just made.
   *
   * @param token the secret, shown this once
   */
  record Issued(String token, StoredToken stored) {
    @Override
    public String toString() {
      return "Issued[" + stored.id() + "]";
    }
  }

  /**
   * Some tokens, in the order of their ids.
   *
   * @param next behind which id the next page begins; null behind the last
   */
  record Page(List<StoredToken> tokens, @Nullable String next) {
    public Page {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * Lists tokens.
   *
   * @param after behind this id, empty for the first page
   * @param limit 1 to {@link #MAX_PAGE}
   */
  Page tokens(Caller operator, String after, int limit);

  /**
   * Makes a token.
   *
   * @param mailbox the only mailbox it is good for; null for all
   * @param life how long it lasts; null without end
   * @throws org.svcmailbox.core.problem.SaturatedException when a bound is reached
   */
  Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note);

  /**
   * Removes a token.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none of this id
   */
  void remove(Caller operator, String id);

  /**
   * Makes a token with the rights, mailbox, life and note of another, which ends after {@code
   * overlap} (at most 30 d), or sooner if it would have.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none of this id
   * @throws org.svcmailbox.core.problem.SaturatedException when a bound is reached
   */
  Issued rotate(Caller operator, String id, Duration overlap);

  /** The rules that hold. */
  AccessRules access(Caller operator);

  /** Replaces the rules; they hold from the next request on. */
  void setAccess(Caller operator, AccessRules rules);
}
