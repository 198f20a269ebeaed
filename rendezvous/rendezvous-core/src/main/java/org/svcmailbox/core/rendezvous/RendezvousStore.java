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
  /** All tokens, oldest first. */
  List<StoredToken> tokens();

  void add(StoredToken token, AuditEntry entry);

  /** Removes a token; false if it does not exist. */
  boolean remove(String id, AuditEntry entry);

  /** Stores a new token and ends an old one; false, without any change, if the old one is gone. */
  boolean rotate(String oldId, Instant oldExpires, StoredToken fresh, AuditEntry entry);

  /** Removes at most {@code most} expired tokens; returns how many. */
  int purge(Instant now, int most);

  /** The access rules; empty if no operator has set any. */
  Optional<AccessRules> access();

  void putAccess(AccessRules rules, AuditEntry entry);
}
