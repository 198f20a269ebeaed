package org.svcmailbox.ejb.rendezvous;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;

/** A token's row; times are epoch milliseconds. */
@Entity
@Table(name = "rendezvous_token")
@NamedQuery(
    name = TokenEntity.ALL,
    query = "select t from TokenEntity t order by t.createdAt, t.no")
@NamedQuery(
    name = TokenEntity.EXPIRED,
    query = "select t.no from TokenEntity t where t.expiresAt <= :now order by t.expiresAt")
@NamedQuery(
    name = TokenEntity.DELETE_ALL,
    query = "delete from TokenEntity t where t.no in :numbers")
@NamedQuery(name = TokenEntity.DELETE, query = "delete from TokenEntity t where t.id = :id")
@NamedQuery(
    name = TokenEntity.END,
    query = "update TokenEntity t set t.expiresAt = :at where t.id = :id")
class TokenEntity {
  static final String ALL = "TokenEntity.all";
  static final String EXPIRED = "TokenEntity.expired";
  static final String DELETE_ALL = "TokenEntity.deleteAll";
  static final String DELETE = "TokenEntity.delete";
  static final String END = "TokenEntity.end";

  private static final String COMMA = ",";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "no")
  private int no;

  @Column(name = "id")
  private String id;

  @Column(name = "digest")
  private String digest;

  @Column(name = "rights")
  private String rights;

  @Column(name = "mailbox")
  private @Nullable String mailbox;

  @Column(name = "created_at")
  private long createdAt;

  @Column(name = "expires_at")
  private @Nullable Long expiresAt;

  @Column(name = "note", columnDefinition = "text")
  private String note;

  @SuppressWarnings("NullAway.Init")
  protected TokenEntity() {}

  TokenEntity(StoredToken token) {
    id = token.id();
    digest = token.digest();
    rights = text(token.rights());
    mailbox = token.mailbox() == null ? null : token.mailbox().hex();
    createdAt = token.created().toEpochMilli();
    expiresAt = token.expires() == null ? null : token.expires().toEpochMilli();
    note = token.note();
  }

  StoredToken stored() {
    return new StoredToken(
        id,
        digest,
        rights(rights),
        mailbox == null ? null : new RecipientId(mailbox),
        Instant.ofEpochMilli(createdAt),
        expiresAt == null ? null : Instant.ofEpochMilli(expiresAt),
        note);
  }

  private static String text(Set<Right> rights) {
    return rights.stream()
        .map(right -> right.name().toLowerCase(Locale.ROOT))
        .sorted()
        .collect(Collectors.joining(COMMA));
  }

  private static Set<Right> rights(String text) {
    return Stream.of(text.split(COMMA, -1))
        .map(right -> Right.valueOf(right.toUpperCase(Locale.ROOT)))
        .collect(Collectors.toUnmodifiableSet());
  }

  static List<StoredToken> all(EntityManager em) {
    return em.createNamedQuery(ALL, TokenEntity.class).getResultList().stream()
        .map(TokenEntity::stored)
        .toList();
  }

  static boolean delete(EntityManager em, String id) {
    return em.createNamedQuery(DELETE).setParameter("id", id).executeUpdate() > 0;
  }

  static boolean end(EntityManager em, String id, Instant at) {
    return em.createNamedQuery(END)
            .setParameter("id", id)
            .setParameter("at", at.toEpochMilli())
            .executeUpdate()
        > 0;
  }

  static int purge(EntityManager em, Instant now, int most) {
    List<Integer> expired =
        em.createNamedQuery(EXPIRED, Integer.class)
            .setParameter("now", now.toEpochMilli())
            .setMaxResults(most)
            .getResultList();
    return expired.isEmpty()
        ? 0
        : em.createNamedQuery(DELETE_ALL).setParameter("numbers", expired).executeUpdate();
  }
}
