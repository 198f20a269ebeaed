package org.svcmailbox.ejb.capability;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.capability.store.CapabilityStore.Answer;
import org.svcmailbox.core.capability.store.ListedCapability.Kind;
import org.svcmailbox.core.capability.store.Minting;

@Entity
@Table(name = "minting")
@NamedQuery(
    name = MintingEntity.COUNT,
    query = "select count(m) from MintingEntity m where not " + MintingEntity.IS_OF_SESSION)
@NamedQuery(
    name = MintingEntity.COUNT_OF_SESSIONS,
    query =
        "select count(m) from MintingEntity m where m.expiresAt > :now and "
            + MintingEntity.IS_OF_SESSION)
@NamedQuery(
    name = MintingEntity.COUNT_OF_SESSIONS_BY,
    query =
        "select count(m) from MintingEntity m where m.mintedBy = :by and m.expiresAt > :now and "
            + MintingEntity.IS_OF_SESSION)
@NamedQuery(
    name = MintingEntity.COUNT_BY,
    query =
        "select count(m) from MintingEntity m where m.mintedBy = :by and m.expiresAt > :now and not "
            + MintingEntity.IS_OF_SESSION)
@NamedQuery(
    name = MintingEntity.OF_CONSOLE,
    query =
        "select m.nonce from MintingEntity m where m.nonce in :nonces and "
            + MintingEntity.IS_OF_SESSION)
@NamedQuery(name = MintingEntity.PAGE, query = MintingEntity.UNEXPIRED + MintingEntity.IN_ORDER)
@NamedQuery(
    name = MintingEntity.PAGE_MINTED,
    query =
        MintingEntity.UNEXPIRED
            + " and not "
            + MintingEntity.IS_OF_SESSION
            + MintingEntity.IN_ORDER)
@NamedQuery(
    name = MintingEntity.PAGE_CONSOLE,
    query =
        MintingEntity.UNEXPIRED + " and " + MintingEntity.IS_OF_SESSION + MintingEntity.IN_ORDER)
@NamedQuery(
    name = MintingEntity.OF_NONCES,
    query = "select m from MintingEntity m where m.nonce in :nonces")
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
  static final String COUNT_OF_SESSIONS = "MintingEntity.countOfSessions";
  static final String COUNT_OF_SESSIONS_BY = "MintingEntity.countOfSessionsBy";
  static final String COUNT_BY = "MintingEntity.countBy";
  static final String OF_CONSOLE = "MintingEntity.ofConsole";
  static final String PAGE = "MintingEntity.page";
  static final String PAGE_MINTED = "MintingEntity.pageMinted";
  static final String PAGE_CONSOLE = "MintingEntity.pageConsole";
  static final String OF_NONCES = "MintingEntity.ofNonces";
  static final String EXPIRED = "MintingEntity.expired";
  static final String DELETE = "MintingEntity.delete";
  static final String DELETE_OF_KEY = "MintingEntity.deleteOfKey";

  /** As {@link Minting#isOfSession}. */
  static final String IS_OF_SESSION =
      "(m.mintedBy like '" + Actor.CONSOLE + "%' and m.note is null)";

  static final String UNEXPIRED =
      "select m from MintingEntity m where m.nonce > :after"
          + " and (m.expiresAt is null or m.expiresAt > :now)";

  static final String IN_ORDER = " order by m.nonce";

  /** Revocation and name for a verification, in one query. The name is {@link Minting#name}. */
  private static final String ANSWER =
      "select (select count(*) from revocation where subject in (?1, ?2)),"
          + " (select coalesce(note, case when minted_by like '"
          + Actor.CONSOLE
          + "%' then minted_by end) from minting where nonce = ?3)";

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

  @Column(name = "by_name")
  private @Nullable String byName;

  @Column(name = "minted_at")
  private long mintedAt;

  @Column(name = "expires_at")
  private @Nullable Long expiresAt;

  @Column(name = "note")
  private @Nullable String note;

  @SuppressWarnings("NullAway.Init")
  protected MintingEntity() {}

  MintingEntity(Minting minting) {
    nonce = minting.id().nonce();
    keyId = minting.id().keyId();
    caveats = String.join(LINE, minting.caveats());
    mintedBy = minting.by().id();
    byName = minting.by().name();
    mintedAt = minting.at().toEpochMilli();
    Instant end = minting.expires();
    expiresAt = end == null ? null : end.toEpochMilli();
    note = minting.note();
  }

  Minting minting() {
    return new Minting(
        new CapabilityId(keyId, nonce),
        caveats.isEmpty() ? List.of() : List.of(caveats.split(LINE, -1)),
        new Actor(mintedBy, byName),
        Instant.ofEpochMilli(mintedAt),
        expiresAt == null ? null : Instant.ofEpochMilli(expiresAt),
        note);
  }

  static long count(EntityManager em) {
    return em.createNamedQuery(COUNT, Long.class).getSingleResult();
  }

  static long countOfSessions(EntityManager em, Instant now) {
    return em.createNamedQuery(COUNT_OF_SESSIONS, Long.class)
        .setParameter("now", now.toEpochMilli())
        .getSingleResult();
  }

  static long countOfSessionsBy(EntityManager em, String by, Instant now) {
    return countBy(em, COUNT_OF_SESSIONS_BY, by, now);
  }

  static long countBy(EntityManager em, String by, Instant now) {
    return countBy(em, COUNT_BY, by, now);
  }

  private static long countBy(EntityManager em, String query, String by, Instant now) {
    return em.createNamedQuery(query, Long.class)
        .setParameter("by", by)
        .setParameter("now", now.toEpochMilli())
        .getSingleResult();
  }

  static Answer answer(EntityManager em, CapabilityId id) {
    Object[] row =
        (Object[])
            em.createNativeQuery(ANSWER)
                .setParameter(1, RevocationEntity.ofNonce(id.nonce()))
                .setParameter(2, RevocationEntity.ofKey(id.keyId()))
                .setParameter(3, id.nonce())
                .getSingleResult();
    return new Answer(((Number) row[0]).longValue() > 0, (String) row[1]);
  }

  static Map<String, String> names(EntityManager em, Collection<String> nonces) {
    Map<String, String> names = new HashMap<>();
    em.createNamedQuery(OF_NONCES, MintingEntity.class)
        .setParameter("nonces", List.copyOf(nonces))
        .getResultList()
        .forEach(
            found -> {
              String name = found.minting().name();
              if (name != null) {
                names.put(found.nonce, name);
              }
            });
    return names;
  }

  static List<Minting> page(EntityManager em, Kind kind, String after, int limit, Instant now) {
    String query =
        switch (kind) {
          case ALL -> PAGE;
          case MINTED -> PAGE_MINTED;
          case CONSOLE -> PAGE_CONSOLE;
        };
    return em
        .createNamedQuery(query, MintingEntity.class)
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
