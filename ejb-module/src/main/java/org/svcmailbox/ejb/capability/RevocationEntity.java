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
import org.svcmailbox.core.capability.store.ListedCapability;

/** The revocation of a capability by nonce, or of a root key by id. */
@Entity
@Table(name = "revocation")
@NamedQuery(
    name = RevocationEntity.PAGE,
    query =
        "select r from RevocationEntity r where r.subject like :kind and r.subject > :after"
            + " order by r.subject")
@NamedQuery(
    name = RevocationEntity.PAGE_MINTED,
    query =
        "select r from RevocationEntity r where r.subject like :kind and r.subject > :after"
            + " and not exists (select m from MintingEntity m where m.nonce ="
            + " substring(r.subject, 7) and "
            + MintingEntity.IS_OF_SESSION
            + ") order by r.subject")
@NamedQuery(
    name = RevocationEntity.OF_SUBJECTS,
    query = "select r from RevocationEntity r where r.subject in :subjects")
@NamedQuery(
    name = RevocationEntity.AFTER,
    query = "select r from RevocationEntity r where r.no > :no order by r.no")
@NamedQuery(
    name = RevocationEntity.COUNT_NONCES,
    query = "select count(r) from RevocationEntity r where r.subject like 'nonce:%'")
@NamedQuery(
    name = RevocationEntity.DELETE,
    query = "delete from RevocationEntity r where r.subject in :subjects")
@NamedQuery(
    name = RevocationEntity.DELETE_OF_KEY,
    query = "delete from RevocationEntity r where r.keyId = :keyId")
class RevocationEntity {
  static final String PAGE = "RevocationEntity.page";

  /** Without those of console sessions. */
  static final String PAGE_MINTED = "RevocationEntity.pageMinted";

  static final String OF_SUBJECTS = "RevocationEntity.ofSubjects";
  static final String AFTER = "RevocationEntity.after";
  static final String COUNT_NONCES = "RevocationEntity.countNonces";
  static final String DELETE = "RevocationEntity.delete";
  static final String DELETE_OF_KEY = "RevocationEntity.deleteOfKey";

  @Id
  @Column(name = "subject")
  private String subject;

  @Column(name = "key_id")
  private @Nullable String keyId;

  @Column(name = "revoked_at")
  private long revokedAt;

  @Column(name = "no")
  private long no;

  @SuppressWarnings("NullAway.Init")
  protected RevocationEntity() {}

  private RevocationEntity(String subject, @Nullable String keyId, long no, Instant at) {
    this.subject = subject;
    this.keyId = keyId;
    this.no = no;
    this.revokedAt = at.toEpochMilli();
  }

  static String ofNonce(String nonce) {
    return ListedCapability.NONCE + nonce;
  }

  static String ofKey(String keyId) {
    return ListedCapability.KEY + keyId;
  }

  /**
   * A page of one kind of subject, in the order of the database.
   *
   * @param query {@link #PAGE} or {@link #PAGE_MINTED}
   */
  static List<RevocationEntity> page(
      EntityManager em, String query, String kind, String after, int limit) {
    return em.createNamedQuery(query, RevocationEntity.class)
        .setParameter("kind", kind + "%")
        .setParameter("after", after)
        .setMaxResults(limit)
        .getResultList();
  }

  /** The revocations of capabilities with these nonces. */
  static List<RevocationEntity> of(EntityManager em, List<String> nonces) {
    return nonces.isEmpty()
        ? List.of()
        : em.createNamedQuery(OF_SUBJECTS, RevocationEntity.class)
            .setParameter("subjects", nonces.stream().map(RevocationEntity::ofNonce).toList())
            .getResultList();
  }

  ListedCapability listed() {
    boolean isKey = subject.startsWith(ListedCapability.KEY);
    String key = isKey ? subject.substring(ListedCapability.KEY.length()) : keyId;
    return new ListedCapability(subject, key, null, Instant.ofEpochMilli(revokedAt));
  }

  /** Revokes a subject unless it is revoked already. */
  static void write(EntityManager em, String subject, @Nullable String keyId, long no, Instant at) {
    if (!isRevoked(em, subject)) {
      em.persist(new RevocationEntity(subject, keyId, no, at));
    }
  }

  /** The revocations after a number, oldest first. */
  static List<RevocationEntity> after(EntityManager em, long no, int most) {
    return em.createNamedQuery(AFTER, RevocationEntity.class)
        .setParameter("no", no)
        .setMaxResults(most)
        .getResultList();
  }

  long no() {
    return no;
  }

  static boolean isRevoked(EntityManager em, String subject) {
    return em.find(RevocationEntity.class, subject) != null;
  }

  static long countNonces(EntityManager em) {
    return em.createNamedQuery(COUNT_NONCES, Long.class).getSingleResult();
  }

  static void deleteNonces(EntityManager em, List<String> nonces) {
    if (!nonces.isEmpty()) {
      em.createNamedQuery(DELETE)
          .setParameter("subjects", nonces.stream().map(RevocationEntity::ofNonce).toList())
          .executeUpdate();
    }
  }

  static void deleteOfKey(EntityManager em, String keyId) {
    em.createNamedQuery(DELETE_OF_KEY).setParameter("keyId", keyId).executeUpdate();
  }
}
