package org.svcmailbox.core.rendezvous;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.audit.AuditEntry;

/**
 * Tokens and access rules on disk. Each method is one transaction, on disk when it returns,
 * together with its audit entry; each throws {@code UnavailableException} when the database is
 * away, and then nothing was changed or, of a change, the outcome is unknown.
 */
public interface RendezvousStore {
  /** Every token, oldest first. */
  List<StoredToken> tokens();

  /** Keeps a new token. */
  void add(StoredToken token, AuditEntry entry);

  /** Removes a token; false when there is none. */
  boolean remove(String id, AuditEntry entry);

  /**
   * Keeps a new token and lets an old one end.
   *
   * @return false, with nothing changed, when the old one is gone
   */
  boolean rotate(String oldId, Instant oldExpires, StoredToken fresh, AuditEntry entry);

  /** Removes tokens that ended before {@code now}, at most {@code most}; returns how many. */
  int purge(Instant now, int most);

  /** The rules an operator set; empty when none did. */
  Optional<AccessRules> access();

  /** Replaces the rules. */
  void putAccess(AccessRules rules, AuditEntry entry);
}
