package org.svcmailbox.ejb.capability;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of a revocation, of one capability by its nonce or of a root key by its id. */
@Entity
@Table(name = "revocation")
@NamedQuery(
    name = RevocationEntity.COUNT_ANY,
    query = "select count(r) from RevocationEntity r where r.subject in :subjects")
@NamedQuery(
    name = RevocationEntity.COUNT_NONCES,
    query = "select count(r) from RevocationEntity r where r.subject like 'nonce:%'")
@NamedQuery(
    name = RevocationEntity.DELETE_OF_KEY,
    query = "delete from RevocationEntity r where r.keyId = :keyId")
class RevocationEntity {
  static final String COUNT_ANY = "RevocationEntity.countAny";
  static final String COUNT_NONCES = "RevocationEntity.countNonces";
  static final String DELETE_OF_KEY = "RevocationEntity.deleteOfKey";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @Column(name = "subject")
  private String subject;

  @SuppressWarnings("UnusedVariable")
  @Column(name = "key_id")
  private @Nullable String keyId;

  @SuppressWarnings("UnusedVariable")
  @Column(name = "revoked_at")
  private long revokedAt;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected RevocationEntity() {}

  private RevocationEntity(String subject, @Nullable String keyId, Instant at) {
    this.subject = subject;
    this.keyId = keyId;
    this.revokedAt = at.toEpochMilli();
  }

  static String ofNonce(String nonce) {
    return "nonce:" + nonce;
  }

  static String ofKey(String keyId) {
    return "key:" + keyId;
  }

  /** Revokes, unless it is revoked already. */
  static void write(EntityManager em, String subject, @Nullable String keyId, Instant at) {
    if (em.find(RevocationEntity.class, subject) == null) {
      em.persist(new RevocationEntity(subject, keyId, at));
    }
  }

  /** Whether any of these is revoked. */
  static boolean isAny(EntityManager em, Collection<String> subjects) {
    return em.createNamedQuery(COUNT_ANY, Long.class)
            .setParameter("subjects", List.copyOf(subjects))
            .getSingleResult()
        > 0;
  }

  static long countNonces(EntityManager em) {
    return em.createNamedQuery(COUNT_NONCES, Long.class).getSingleResult();
  }

  static void deleteOfKey(EntityManager em, String keyId) {
    em.createNamedQuery(DELETE_OF_KEY).setParameter("keyId", keyId).executeUpdate();
  }
}
