package org.svcmailbox.ejb.rendezvous;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.RendezvousStore;
import org.svcmailbox.core.rendezvous.StoredToken;
import org.svcmailbox.ejb.audit.AuditEntity;
import org.svcmailbox.ejb.store.Transactions;

/** Tokens and access rules in the database, each change in one transaction with its audit row. */
final class JpaRendezvousStore implements RendezvousStore {
  private final Transactions transactions;

  JpaRendezvousStore(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public List<StoredToken> tokens() {
    return transactions.read(TokenEntity::all);
  }

  @Override
  public void add(StoredToken token, AuditEntry entry) {
    write(entry, em -> add(em, token));
  }

  @Override
  public boolean remove(String id, AuditEntry entry) {
    return write(entry, em -> TokenEntity.delete(em, id));
  }

  @Override
  public boolean rotate(String oldId, Instant oldExpires, StoredToken fresh, AuditEntry entry) {
    return write(entry, em -> TokenEntity.end(em, oldId, oldExpires) && add(em, fresh));
  }

  private static boolean add(EntityManager em, StoredToken token) {
    em.persist(new TokenEntity(token));
    return true;
  }

  @Override
  public int purge(Instant now, int most) {
    return transactions.write(em -> TokenEntity.purge(em, now, most));
  }

  @Override
  public Optional<AccessRules> access() {
    return transactions.read(
        em ->
            Optional.ofNullable(em.find(AccessEntity.class, AccessEntity.ONE))
                .map(AccessEntity::rules));
  }

  @Override
  public void putAccess(AccessRules rules, AuditEntry entry) {
    write(
        entry,
        em -> {
          em.merge(new AccessEntity(rules));
          return true;
        });
  }

  /** Audits a change unless it returns false, which means that there was nothing to change. */
  private boolean write(AuditEntry entry, Predicate<EntityManager> change) {
    return transactions.write(
        em -> {
          boolean changed = change.test(em);
          if (changed) {
            AuditEntity.write(em, transactions.database(), entry);
          }
          return changed;
        });
  }
}
