package org.svcmailbox.core.batch;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one batch took and that expire together. They are taken, confirmed and freed
 * together. The stored form is in memory only until the database has it. Ordered by expiry. Any
 * thread.
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

  /** A page that the database has. Its keys are counted as they are read. */
  KeyPage(WorkerId worker, long batchNo, long expiresAt) {
    this.worker = worker;
    this.batchNo = batchNo;
    this.expiresAt = expiresAt;
    this.succession = Succession.NONE;
    this.confirmed = true;
  }

  /**
   * A page of a batch that the broker may not yet have.
   *
   * @param succession keys that it may take from other pages
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

  /** Epoch milliseconds. */
  long expiresAt() {
    return expiresAt;
  }

  /** The stored form; null once the database has it. */
  @Nullable StoredKeys unapplied() {
    return unapplied;
  }

  /** Records that the database has the page; returns whether that is new. */
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

  /**
   * The keys that it may take, or took, from pages whose window is not over; empty once confirmed.
   */
  Succession succession() {
    return succession;
  }

  synchronized void gained() {
    keys++;
  }

  /** Counts a key that returns to the page; false if all of its keys are free already. */
  synchronized boolean regained() {
    keys += removed ? 0 : 1;
    return !removed;
  }

  /** Counts a key that passes to another page; false if all of its keys are free already. */
  synchronized boolean lost() {
    keys -= removed ? 0 : 1;
    return !removed;
  }

  /** Frees its keys; returns how many. */
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
