package org.svcmailbox.core.rendezvous;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.audit.AuditEntry;

/**
 * Stores tokens and access rules. Each method is one transaction, on disk on return, with its audit
 * entry. Each throws {@code UnavailableException} when the database is away; the outcome of a
 * change is then unknown.
 */
public interface RendezvousStore {
  /** Oldest first. */
  List<StoredToken> tokens();

  void add(StoredToken token, AuditEntry entry);

  /** False when there is none. */
  boolean remove(String id, AuditEntry entry);

  /** Stores a new token and ends an old one; false, without a change, when the old one is gone. */
  boolean rotate(String oldId, Instant oldExpires, StoredToken fresh, AuditEntry entry);

  /** Removes at most {@code most} expired tokens; returns how many. */
  int purge(Instant now, int most);

  /** Empty when no operator has set rules. */
  Optional<AccessRules> access();

  void putAccess(AccessRules rules, AuditEntry entry);
}
