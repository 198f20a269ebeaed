package org.svcmailbox.ejb.capability;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import org.svcmailbox.core.capability.store.CapabilityStore.StoredKey;
import org.svcmailbox.core.capability.store.RootSecret;

/** A root key that the service made. */
@Entity
@Table(name = "root_key")
@NamedQuery(name = RootKeyEntity.ALL, query = "select k from RootKeyEntity k order by k.no")
class RootKeyEntity {
  static final String ALL = "RootKeyEntity.all";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "no")
  private int no;

  @Column(name = "id")
  private String id;

  @Column(name = "secret")
  private byte[] secret;

  @Column(name = "created_at")
  private long createdAt;

  @SuppressWarnings("NullAway.Init")
  protected RootKeyEntity() {}

  RootKeyEntity(StoredKey key) {
    this.id = key.id();
    this.secret = key.secret().bytes();
    this.createdAt = key.createdAt().toEpochMilli();
  }

  StoredKey stored() {
    return new StoredKey(id, new RootSecret(secret), Instant.ofEpochMilli(createdAt));
  }
}
