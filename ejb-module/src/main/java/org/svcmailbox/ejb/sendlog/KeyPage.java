package org.svcmailbox.ejb.sendlog;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.delivery.SendLog.Taken;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/**
 * The keys that one batch took until one moment: written together and free again together, and so
 * one row instead of one each. Its entries are in memory only until they are on disk. Ordered by
 * expiry. Safe for many threads.
 */
final class KeyPage implements Comparable<KeyPage> {
  /** Bytes of an entry: the key, the message's id, its payload's hash. */
  static final int ENTRY_BYTES = IdempotencyKey.BYTES + MsgId.BYTES + Digest.BYTES;

  private static final Comparator<KeyPage> ORDER =
      Comparator.comparingLong(KeyPage::expiresAt)
          .thenComparingInt(KeyPage::worker)
          .thenComparingLong(KeyPage::batchNo);
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final int worker;
  private final long batchNo;
  private final long expiresAt;
  private volatile byte @Nullable [] unwritten;
  private int keys;
  private volatile boolean removed;
  private volatile boolean confirmed;

  /** A page that is on disk, of a confirmed batch; its keys are still to be counted. */
  KeyPage(int worker, long batchNo, long expiresAt) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.expiresAt = expiresAt;
    this.confirmed = true;
  }

  private KeyPage(Batch batch, long expiresAt, List<Row> rows) {
    this(batch.worker(), batch.batchNo(), expiresAt);
    this.unwritten = bytes(rows);
    this.confirmed = false;
  }

  /** The pages that a batch comes to: as a rule one, since topics rarely differ in their window. */
  static Map<KeyPage, List<Row>> of(Batch batch) {
    Map<Long, List<Row>> byExpiry = new LinkedHashMap<>();
    for (Row row : batch.rows()) {
      long expiry = roundedUp(row.reservation().expiresAt());
      byExpiry.computeIfAbsent(expiry, none -> new ArrayList<>()).add(row);
    }
    Map<KeyPage, List<Row>> pages = new LinkedHashMap<>();
    byExpiry.forEach((expiry, rows) -> pages.put(new KeyPage(batch, expiry, rows), rows));
    return pages;
  }

  /** Milliseconds since 1970, rounded so that no window becomes shorter. */
  private static long roundedUp(Instant instant) {
    return instant.plusNanos(NANOS_PER_MILLI - 1).toEpochMilli();
  }

  private static byte[] bytes(List<Row> rows) {
    ByteBuffer out = ByteBuffer.allocate(ENTRY_BYTES * rows.size());
    for (Row row : rows) {
      Reservation reservation = row.reservation();
      out.putLong(row.key().high()).putLong(row.key().low());
      out.putLong(reservation.msgId().high()).putLong(reservation.msgId().low());
      out.put(reservation.payloadHash().bytes());
    }
    return out.array();
  }

  int worker() {
    return worker;
  }

  long batchNo() {
    return batchNo;
  }

  /** Milliseconds since 1970. */
  long expiresAt() {
    return expiresAt;
  }

  /** The stored form, until it is on disk. */
  byte @Nullable [] unwritten() {
    return unwritten;
  }

  /** It is on disk. */
  void written() {
    unwritten = null;
  }

  /** The broker has the messages. Only the worker that took the keys says so. */
  void confirm() {
    confirmed = true;
  }

  /** Reads the keys of a stored form, and nothing of what they were taken for. */
  static void readKeys(byte[] entries, Consumer<IdempotencyKey> to) {
    ByteBuffer in = ByteBuffer.wrap(entries);
    for (int at = 0; at < entries.length; at += ENTRY_BYTES) {
      in.position(at);
      to.accept(new IdempotencyKey(in.getLong(), in.getLong()));
    }
  }

  /** Reads the entries of a stored form. */
  private void read(byte[] entries, BiConsumer<IdempotencyKey, Reservation> to) {
    ByteBuffer in = ByteBuffer.wrap(entries);
    Instant until = Instant.ofEpochMilli(expiresAt);
    while (in.hasRemaining()) {
      IdempotencyKey key = new IdempotencyKey(in.getLong(), in.getLong());
      MsgId msgId = new MsgId(in.getLong(), in.getLong());
      to.accept(key, new Reservation(msgId, LedgerPage.digest(in), until));
    }
  }

  /** Of a stored form's entries those of {@code wanted}. */
  Map<IdempotencyKey, Taken> find(byte[] entries, Set<IdempotencyKey> wanted) {
    Map<IdempotencyKey, Taken> found = new HashMap<>();
    read(
        entries,
        (key, reservation) -> {
          if (wanted.contains(key)) {
            found.put(key, new Taken(reservation, confirmed));
          }
        });
    return found;
  }

  /** A key is this page's. */
  synchronized void gained() {
    keys++;
  }

  /** A key passes to another page; false when all of this one's are free already. */
  synchronized boolean lost() {
    keys -= removed ? 0 : 1;
    return !removed;
  }

  /** Frees its keys; answers how many those were. */
  synchronized int remove() {
    int left = removed ? 0 : keys;
    removed = true;
    return left;
  }

  boolean isRemoved() {
    return removed;
  }

  /** How many keys are this page's. */
  synchronized int keys() {
    return keys;
  }

  @Override
  public int compareTo(KeyPage other) {
    return ORDER.compare(this, other);
  }
}
