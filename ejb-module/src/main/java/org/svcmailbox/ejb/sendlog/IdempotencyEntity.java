package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.ColumnResult;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.SqlResultSetMapping;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/** The row of a key that is taken. */
@Entity
@Table(name = "idempotency")
@SqlResultSetMapping(
    name = IdempotencyEntity.COLUMNS,
    columns = {
      @ColumnResult(name = "key_hash", type = UUID.class),
      @ColumnResult(name = "msg_id", type = UUID.class),
      @ColumnResult(name = "payload_hash", type = byte[].class),
      @ColumnResult(name = "expires_at", type = Long.class)
    })
@NamedQuery(
    name = IdempotencyEntity.DELETE_EXPIRED,
    query = "delete from IdempotencyEntity e where e.keyHash in :keys and e.expiresAt <= :now")
@NamedQuery(
    name = IdempotencyEntity.DELETE_MESSAGES,
    query = "delete from IdempotencyEntity e where e.keyHash in :keys and e.msgId in :msgIds")
@NamedNativeQuery(
    name = IdempotencyEntity.PURGE,
    query =
        "delete from idempotency where expires_at < :now and key_hash in"
            + " (select key_hash from idempotency where expires_at < :now"
            + " order by expires_at limit :limit)")
@NamedQuery(
    name = IdempotencyEntity.COUNT,
    query = "select count(e.keyHash) from IdempotencyEntity e")
class IdempotencyEntity {
  static final String COLUMNS = "IdempotencyEntity.columns";
  static final String DELETE_EXPIRED = "IdempotencyEntity.deleteExpired";
  static final String DELETE_MESSAGES = "IdempotencyEntity.deleteMessages";
  static final String PURGE = "IdempotencyEntity.purge";
  static final String COUNT = "IdempotencyEntity.count";

  static final InsertRows INSERT =
      new InsertRows("idempotency", "key_hash", "msg_id", "payload_hash", "expires_at");

  private static final int NANOS_PER_MILLI = 1_000_000;

  @Id
  @Column(name = "key_hash")
  private UUID keyHash;

  @Column(name = "msg_id")
  private UUID msgId;

  @Column(name = "payload_hash")
  @SuppressWarnings("UnusedVariable") // the provider reads it
  private byte[] payloadHash;

  @Column(name = "expires_at")
  private long expiresAt;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected IdempotencyEntity() {}

  /** A row for {@link #INSERT}. */
  static Object[] row(Row row) {
    Reservation reservation = row.reservation();
    return new Object[] {
      Ids.of(row.key()),
      Ids.of(reservation.msgId()),
      reservation.payloadHash().bytes(),
      roundedUp(reservation.expiresAt())
    };
  }

  /** The key among the columns of {@link #COLUMNS}. */
  static IdempotencyKey key(Object[] columns) {
    return Ids.key((UUID) columns[0]);
  }

  /** The rest of the columns of {@link #COLUMNS}. */
  static Reservation reservation(Object[] columns) {
    return new Reservation(
        Ids.msgId((UUID) columns[1]),
        Digest.ofBytes((byte[]) columns[2]),
        Instant.ofEpochMilli((long) columns[3]));
  }

  /** Milliseconds since 1970, rounded so that no window becomes shorter. */
  private static long roundedUp(Instant instant) {
    return instant.plusNanos(NANOS_PER_MILLI - 1).toEpochMilli();
  }
}
