package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;

/**
 * Administration of the rendezvous service. Each method needs {@code admin} without a topic caveat,
 * else throws {@code DeniedException}. It throws {@code NotFoundException} while the service is off
 * and {@code UnavailableException} when the database is away. Changes apply at once and are
 * audited.
 */
public interface RendezvousAdmin {
  int MAX_PAGE = 1_000;

  int MAX_TOKENS = 100_000;

  int MAX_PER_MAILBOX = 8;

  /** The most tokens that are valid for every mailbox. */
  int MAX_SERVER_WIDE = 64;

  /** The most characters of a token's note. */
  int MAX_NOTE = 200;

  /** A new token. Only this answer shows it. */
  record Issued(String token, StoredToken stored) {
    @Override
    public String toString() {
      return "Issued[" + stored.id() + "]";
    }
  }

  /**
   * Tokens by id.
   *
   * @param next the id to continue after; null on the last page
   */
  record Page(List<StoredToken> tokens, @Nullable String next) {
    public Page {
      tokens = List.copyOf(tokens);
    }
  }

  /** At most {@code limit} tokens after {@code after}, which is empty for the first page. */
  Page tokens(Caller operator, String after, int limit);

  /**
   * Creates a token.
   *
   * @param mailbox null for all mailboxes
   * @param life null for no end
   * @throws org.svcmailbox.core.problem.SaturatedException when a limit is reached
   */
  Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note);

  /** Removes a token. Throws {@code NotFoundException} if it does not exist. */
  void remove(Caller operator, String id);

  /**
   * Replaces a token by one with equal rights, mailbox, life and note. The old one ends after
   * {@code overlap}, which is at most 30 days.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   * @throws org.svcmailbox.core.problem.SaturatedException when a limit is reached
   */
  Issued rotate(Caller operator, String id, Duration overlap);

  AccessRules access(Caller operator);

  /** Replaces the rules, for all requests from the next one on. */
  void setAccess(Caller operator, AccessRules rules);
}
