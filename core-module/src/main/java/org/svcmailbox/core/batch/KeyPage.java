package org.svcmailbox.core.batch;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one batch took until one moment. They are taken, confirmed and freed together. The
 * stored form is in memory only until the database has it. Ordered by expiry. Safe for many
 * threads.
 */
final class KeyPage implements Comparable<KeyPage> {
  private static final Comparator<KeyPage> ORDER =
      Comparator.comparingLong(KeyPage::expiresAt)
          .thenComparing(KeyPage::worker)
          .thenComparingLong(KeyPage::batchNo);

  private final WorkerId worker;
  private final long batchNo;
  private final long expiresAt;
  private volatile Succession succession;
  private volatile @Nullable StoredKeys unapplied;
  private volatile boolean confirmed;
  private volatile boolean removed;
  private int keys;

  /** A page that the database has; its keys are still to be counted. */
  KeyPage(WorkerId worker, long batchNo, long expiresAt) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.expiresAt = expiresAt;
    this.succession = Succession.NONE;
    this.confirmed = true;
  }

  /**
   * A page of a batch that the broker may not get.
   *
   * @param succession keys that it may take from others
   */
  KeyPage(WorkerId worker, long batchNo, StoredKeys keys, Succession succession) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.expiresAt = keys.expiresAt();
    this.succession = succession;
    this.unapplied = keys;
  }

  WorkerId worker() {
    return worker;
  }

  long batchNo() {
    return batchNo;
  }

  /** Milliseconds since 1970. */
  long expiresAt() {
    return expiresAt;
  }

  /** The stored form; null once the database has it. */
  @Nullable StoredKeys unapplied() {
    return unapplied;
  }

  /** The database has it; returns whether that is new. */
  boolean applied() {
    boolean isNew = unapplied != null;
    unapplied = null;
    return isNew;
  }

  boolean isConfirmed() {
    return confirmed;
  }

  void confirm() {
    confirmed = true;
    succession = Succession.NONE;
  }

  /** The keys that it may take, or took, from pages with a live window; none once confirmed. */
  Succession succession() {
    return succession;
  }

  synchronized void gained() {
    keys++;
  }

  /** A key comes back; false when all of this one's are free already. */
  synchronized boolean regained() {
    keys += removed ? 0 : 1;
    return !removed;
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

  synchronized int keys() {
    return keys;
  }

  @Override
  public int compareTo(KeyPage other) {
    return ORDER.compare(this, other);
  }
}
