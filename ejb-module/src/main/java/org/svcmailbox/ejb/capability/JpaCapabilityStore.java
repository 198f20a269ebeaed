package org.svcmailbox.ejb.capability;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.ejb.audit.AuditEntity;
import org.svcmailbox.ejb.store.ClusterCounter;
import org.svcmailbox.ejb.store.Transactions;

public final class JpaCapabilityStore implements CapabilityStore {
  private final Transactions transactions;

  public JpaCapabilityStore(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public List<StoredKey> keys() {
    return transactions.read(
        em ->
            em.createNamedQuery(RootKeyEntity.ALL, RootKeyEntity.class).getResultList().stream()
                .map(RootKeyEntity::stored)
                .toList());
  }

  @Override
  public void add(StoredKey key, AuditEntry entry) {
    write(
        entry,
        em -> {
          long unused = ClusterCounter.CAPABILITIES.next(em);
          em.persist(new RootKeyEntity(key));
        });
  }

  @Override
  public Answer answer(CapabilityId id) {
    return transactions.read(em -> MintingEntity.answer(em, id));
  }

  @Override
  public Map<String, String> names(Collection<String> nonces) {
    return nonces.isEmpty() ? Map.of() : transactions.read(em -> MintingEntity.names(em, nonces));
  }

  @Override
  public long lastChange() {
    return transactions.read(ClusterCounter.CAPABILITIES::value);
  }

  @Override
  public Revocations revokedAfter(long number, int most) {
    return transactions.read(em -> CapabilityChanges.revokedAfter(em, number, most));
  }

  @Override
  public boolean isKeyRevoked(String keyId) {
    return transactions.read(em -> RevocationEntity.isRevoked(em, RevocationEntity.ofKey(keyId)));
  }

  @Override
  public long revocations() {
    return transactions.read(RevocationEntity::countNonces);
  }

  @Override
  public void revoke(String nonce, @Nullable String keyId, AuditEntry entry) {
    String subject = RevocationEntity.ofNonce(nonce);
    write(
        entry,
        em -> {
          long no = ClusterCounter.CAPABILITIES.next(em);
          RevocationEntity.write(em, subject, keyId, no, entry.at());
        });
  }

  @Override
  public void revokeKey(String keyId, AuditEntry entry) {
    write(
        entry,
        em -> {
          long no = ClusterCounter.CAPABILITIES.next(em);
          RevocationEntity.deleteOfKey(em, keyId);
          MintingEntity.deleteOfKey(em, keyId);
          RevocationEntity.write(em, RevocationEntity.ofKey(keyId), null, no, entry.at());
        });
  }

  @Override
  public void mint(Minting minting, AuditEntry entry) {
    write(entry, em -> em.persist(new MintingEntity(minting)));
  }

  @Override
  public long mintings() {
    return transactions.read(MintingEntity::count);
  }

  @Override
  public long sessionMintings(Instant now) {
    return transactions.read(em -> MintingEntity.countOfSessions(em, now));
  }

  @Override
  public long sessionMintingsBy(String by, Instant now) {
    return transactions.read(em -> MintingEntity.countOfSessionsBy(em, by, now));
  }

  @Override
  public long mintingsBy(String by, Instant now) {
    return transactions.read(em -> MintingEntity.countBy(em, by, now));
  }

  @Override
  public List<ListedCapability> list(
      ListedCapability.Kind kind, String after, int limit, Instant now) {
    return transactions.read(em -> new CapabilityListing(em, kind, limit, now).behind(after));
  }

  @Override
  public int purgeMintings(Instant now, int most) {
    return transactions.write(em -> MintingEntity.purge(em, now, most));
  }

  @Override
  public void note(AuditEntry entry) {
    write(entry, em -> {});
  }

  @Override
  public List<AuditRow> audit(AuditFilter wanted, long after, int limit) {
    return transactions.read(em -> AuditEntity.read(em, wanted, after, limit));
  }

  @Override
  public int purgeAudit(Instant before, int most) {
    return transactions.write(em -> AuditEntity.purge(em, before, most));
  }

  private void write(AuditEntry entry, Consumer<EntityManager> change) {
    transactions.write(
        em -> {
          change.accept(em);
          AuditEntity.write(em, transactions.database(), entry);
          return entry;
        });
  }
}
