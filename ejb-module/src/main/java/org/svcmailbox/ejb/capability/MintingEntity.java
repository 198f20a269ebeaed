package org.svcmailbox.ejb.capability;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.store.Minting;

@Entity
@Table(name = "minting")
@NamedQuery(
    name = MintingEntity.COUNT,
    query =
        "select count(m) from MintingEntity m where m.mintedBy not like '" + Minting.CONSOLE + "%'")
@NamedQuery(
    name = MintingEntity.COUNT_OF_CONSOLE,
    query =
        "select count(m) from MintingEntity m where m.mintedBy like '"
            + Minting.CONSOLE
            + "%' and m.expiresAt > :now")
@NamedQuery(
    name = MintingEntity.COUNT_BY,
    query = "select count(m) from MintingEntity m where m.mintedBy = :by and m.expiresAt > :now")
@NamedQuery(
    name = MintingEntity.OF_CONSOLE,
    query =
        "select m.nonce from MintingEntity m where m.nonce in :nonces"
            + " and m.mintedBy like '"
            + Minting.CONSOLE
            + "%'")
@NamedQuery(
    name = MintingEntity.PAGE,
    query =
        "select m from MintingEntity m where m.nonce > :after"
            + " and (m.expiresAt is null or m.expiresAt > :now) order by m.nonce")
@NamedQuery(
    name = MintingEntity.EXPIRED,
    query = "select m.nonce from MintingEntity m where m.expiresAt <= :now")
@NamedQuery(
    name = MintingEntity.DELETE,
    query = "delete from MintingEntity m where m.nonce in :nonces")
@NamedQuery(
    name = MintingEntity.DELETE_OF_KEY,
    query = "delete from MintingEntity m where m.keyId = :keyId")
class MintingEntity {
  static final String COUNT = "MintingEntity.count";
  static final String COUNT_OF_CONSOLE = "MintingEntity.countOfConsole";
  static final String COUNT_BY = "MintingEntity.countBy";
  static final String OF_CONSOLE = "MintingEntity.ofConsole";
  static final String PAGE = "MintingEntity.page";
  static final String EXPIRED = "MintingEntity.expired";
  static final String DELETE = "MintingEntity.delete";
  static final String DELETE_OF_KEY = "MintingEntity.deleteOfKey";

  /** Separates caveats, which have no line breaks. */
  private static final String LINE = "\n";

  @Id
  @Column(name = "nonce")
  private String nonce;

  @Column(name = "key_id")
  private String keyId;

  @Column(name = "caveats", columnDefinition = "text")
  private String caveats;

  @Column(name = "minted_by")
  private String mintedBy;

  @Column(name = "minted_at")
  private long mintedAt;

  @Column(name = "expires_at")
  private @Nullable Long expiresAt;

  @SuppressWarnings("NullAway.Init")
  protected MintingEntity() {}

  MintingEntity(Minting minting) {
    nonce = minting.id().nonce();
    keyId = minting.id().keyId();
    caveats = String.join(LINE, minting.caveats());
    mintedBy = minting.by();
    mintedAt = minting.at().toEpochMilli();
    Instant end = minting.expires();
    expiresAt = end == null ? null : end.toEpochMilli();
  }

  Minting minting() {
    return new Minting(
        new CapabilityId(keyId, nonce),
        caveats.isEmpty() ? List.of() : List.of(caveats.split(LINE, -1)),
        mintedBy,
        Instant.ofEpochMilli(mintedAt),
        expiresAt == null ? null : Instant.ofEpochMilli(expiresAt));
  }

  static long count(EntityManager em) {
    return em.createNamedQuery(COUNT, Long.class).getSingleResult();
  }

  static long countOfConsole(EntityManager em, Instant now) {
    return em.createNamedQuery(COUNT_OF_CONSOLE, Long.class)
        .setParameter("now", now.toEpochMilli())
        .getSingleResult();
  }

  static long countBy(EntityManager em, String by, Instant now) {
    return em.createNamedQuery(COUNT_BY, Long.class)
        .setParameter("by", by)
        .setParameter("now", now.toEpochMilli())
        .getSingleResult();
  }

  static List<Minting> page(EntityManager em, String after, int limit, Instant now) {
    return em
        .createNamedQuery(PAGE, MintingEntity.class)
        .setParameter("after", after)
        .setParameter("now", now.toEpochMilli())
        .setMaxResults(limit)
        .getResultList()
        .stream()
        .map(MintingEntity::minting)
        .toList();
  }

  static int purge(EntityManager em, Instant now, int most) {
    List<String> expired =
        em.createNamedQuery(EXPIRED, String.class)
            .setParameter("now", now.toEpochMilli())
            .setMaxResults(most)
            .getResultList();
    if (expired.isEmpty()) {
      return 0;
    }
    RevocationEntity.deleteNonces(
        em,
        em.createNamedQuery(OF_CONSOLE, String.class)
            .setParameter("nonces", expired)
            .getResultList());
    return em.createNamedQuery(DELETE).setParameter("nonces", expired).executeUpdate();
  }

  static void deleteOfKey(EntityManager em, String keyId) {
    em.createNamedQuery(DELETE_OF_KEY).setParameter("keyId", keyId).executeUpdate();
  }
}
