package org.svcmailbox.core.batch;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/**
 * Keys of one batch with the same expiry, in stored form: 64 bytes each (key 16, message id 16,
 * payload hash 32), ordered by key.
 */
public final class StoredKeys {
  static final int ENTRY_BYTES = IdempotencyKey.BYTES + MsgId.BYTES + Digest.BYTES;

  private static final int NANOS_PER_MILLI = 1_000_000;

  /** One order for all workers: if two want the same keys, one of them gets them all. */
  private static final Comparator<Row> BY_KEY =
      Comparator.comparing(
          Row::key,
          Comparator.comparingLong(IdempotencyKey::high).thenComparingLong(IdempotencyKey::low));

  private final long expiresAt;
  private final byte[] entries;

  /**
   * @param expiresAt epoch milliseconds
   */
  public StoredKeys(long expiresAt, byte[] entries) {
    this.expiresAt = expiresAt;
    this.entries = entries;
  }

  /**
   * Groups the keys of these rows by expiry. Topics rarely differ in their windows, so this is
   * mostly one page.
   */
  static List<StoredKeys> of(List<Row> rows) {
    Map<Long, List<Row>> byExpiry = new LinkedHashMap<>();
    for (Row row : rows) {
      long expiry = roundedUp(row.reservation().expiresAt());
      byExpiry.computeIfAbsent(expiry, none -> new ArrayList<>()).add(row);
    }
    return byExpiry.entrySet().stream()
        .map(one -> new StoredKeys(one.getKey(), bytes(one.getValue())))
        .toList();
  }

  /** Epoch milliseconds, rounded up so that no window becomes shorter. */
  private static long roundedUp(Instant instant) {
    return instant.plusNanos(NANOS_PER_MILLI - 1).toEpochMilli();
  }

  private static byte[] bytes(List<Row> rows) {
    rows.sort(BY_KEY);
    ByteBuffer out = ByteBuffer.allocate(ENTRY_BYTES * rows.size());
    for (Row row : rows) {
      Reservation reservation = row.reservation();
      out.putLong(row.key().high()).putLong(row.key().low());
      out.putLong(reservation.msgId().high()).putLong(reservation.msgId().low());
      out.put(reservation.payloadHash().bytes());
    }
    return out.array();
  }

  /** Epoch milliseconds. */
  public long expiresAt() {
    return expiresAt;
  }

  /** The stored form; must not be modified. */
  public byte[] entries() {
    return entries;
  }

  int size() {
    return entries.length / ENTRY_BYTES;
  }

  void forEach(Consumer<IdempotencyKey> to) {
    for (int i = 0; i < size(); i++) {
      to.accept(key(i));
    }
  }

  IdempotencyKey key(int index) {
    ByteBuffer in = ByteBuffer.wrap(entries).position(index * ENTRY_BYTES);
    return new IdempotencyKey(in.getLong(), in.getLong());
  }

  /** The reservation of a key; null if the key is not among these. */
  @Nullable Reservation find(IdempotencyKey key) {
    ByteBuffer in = ByteBuffer.wrap(entries);
    int low = 0;
    int high = size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      in.position(middle * ENTRY_BYTES);
      int order = compare(new IdempotencyKey(in.getLong(), in.getLong()), key);
      if (order == 0) {
        MsgId msgId = new MsgId(in.getLong(), in.getLong());
        return new Reservation(msgId, LedgerPage.digest(in), Instant.ofEpochMilli(expiresAt));
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return null;
  }

  private static int compare(IdempotencyKey one, IdempotencyKey other) {
    int high = Long.compare(one.high(), other.high());
    return high != 0 ? high : Long.compare(one.low(), other.low());
  }
}
