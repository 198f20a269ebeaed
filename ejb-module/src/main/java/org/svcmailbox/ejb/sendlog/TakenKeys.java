package org.svcmailbox.ejb.sendlog;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.delivery.SendLog.Taken;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.ejb.store.Transactions;

/**
 * Which keys are taken: the pages in the database, and the {@link KeyIndex} in memory that leads to
 * them, which is read from the pages once. Safe for many threads.
 */
final class TakenKeys {
  // Workers that want the same keys take them in the same order, so that one of them gets all.
  private static final Comparator<Row> BY_KEY =
      Comparator.comparing(
          Row::key,
          Comparator.comparingLong(IdempotencyKey::high).thenComparingLong(IdempotencyKey::low));

  /** Pages read at once; each at most a batch's. */
  private static final int LOADED_AT_ONCE = 500;

  /**
   * A worker's last batch.
   *
   * @param isWritten false while only the database knows
   */
  private record Newest(long batchNo, Collection<KeyPage> pages, boolean isWritten) {
    /** The later of two that were read; of one batch, with the pages of both. */
    Newest later(Newest other) {
      if (batchNo != other.batchNo) {
        return batchNo > other.batchNo ? this : other;
      }
      return new Newest(
          batchNo, Stream.concat(pages.stream(), other.pages.stream()).toList(), true);
    }
  }

  private final Transactions transactions;
  private final KeyIndex index = new KeyIndex();
  private final Map<Integer, Newest> newest = new ConcurrentHashMap<>();

  private TakenKeys(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Reads all pages there are. */
  static TakenKeys load(Transactions transactions) {
    TakenKeys keys = new TakenKeys(transactions);
    @Nullable KeyPage last = new KeyPage(Integer.MIN_VALUE, 0, 0);
    while (last != null) {
      last = keys.loadAfter(last);
    }
    return keys;
  }

  private @Nullable KeyPage loadAfter(KeyPage before) {
    List<Object[]> rows = transactions.read(em -> KeyPageEntity.after(em, before, LOADED_AT_ONCE));
    @Nullable KeyPage last = null;
    for (Object[] row : rows) {
      last = new KeyPage((int) row[0], (long) row[1], (long) row[2]);
      load(last, (byte[]) row[3]);
    }
    return last;
  }

  private void load(KeyPage page, byte[] entries) {
    KeyPage.readKeys(entries, key -> index.load(key, page));
    index.written(List.of(page));
    newest.merge(page.worker(), new Newest(page.batchNo(), List.of(page), true), Newest::later);
  }

  /** What the keys were taken for; those that are free are not there. */
  Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> keys) {
    Map<KeyPage, Set<IdempotencyKey>> pages = new HashMap<>();
    for (IdempotencyKey key : keys) {
      KeyPage page = index.find(key);
      if (page != null) {
        pages.computeIfAbsent(page, none -> new HashSet<>()).add(key);
      }
    }
    Map<IdempotencyKey, Taken> found = new HashMap<>();
    pages.forEach((page, wanted) -> found.putAll(page.find(entries(page), wanted)));
    return found;
  }

  /** A page that was purged or withdrawn since it was found has no entries any more. */
  private byte[] entries(KeyPage page) {
    byte[] unwritten = page.unwritten();
    return unwritten != null
        ? unwritten
        : transactions.read(em -> KeyPageEntity.at(em, page)).orElse(new byte[0]);
  }

  /**
   * Takes the keys of a batch, in memory: it is to be written, or {@link #free}d.
   *
   * @return its pages
   */
  Collection<KeyPage> take(Batch batch, Instant now) throws KeyTakenException {
    Map<KeyPage, List<Row>> pages = KeyPage.of(batch);
    for (Map.Entry<KeyPage, List<Row>> page : pages.entrySet()) {
      for (Row row : page.getValue().stream().sorted(BY_KEY).toList()) {
        if (!index.take(
            row.key(), page.getKey(), row.replacesExpired() ? now.toEpochMilli() : null)) {
          index.remove(pages.keySet());
          throw new KeyTakenException(row.key());
        }
      }
    }
    return pages.keySet();
  }

  /** A batch's pages are on disk. */
  void written(Batch batch, Collection<KeyPage> pages) {
    newest.put(batch.worker(), new Newest(batch.batchNo(), pages, true));
    index.written(pages);
  }

  /** Whether a batch's pages are on disk is unknown until {@link #settle}: its keys stay taken. */
  void doubted(Batch batch, Collection<KeyPage> pages) {
    newest.put(batch.worker(), new Newest(batch.batchNo(), pages, false));
  }

  /** A batch was not written. */
  void free(Collection<KeyPage> pages) {
    index.remove(pages);
  }

  /** The database told which batch was a worker's last: what was in doubt is not any more. */
  void settle(int worker, long lastBatch) {
    newest.computeIfPresent(worker, (key, last) -> settled(last, lastBatch));
  }

  private @Nullable Newest settled(Newest last, long lastBatch) {
    if (last.isWritten()) {
      return last;
    }
    if (lastBatch == last.batchNo()) {
      index.written(last.pages());
      return new Newest(last.batchNo(), last.pages(), true);
    }
    index.remove(last.pages());
    return null;
  }

  /** The broker has a worker's batch, if it is the worker's last. */
  void confirm(int worker, long batchNo) {
    Newest last = newest.get(worker);
    if (last != null && last.batchNo() == batchNo) {
      last.pages().forEach(KeyPage::confirm);
    }
  }

  /** A worker's last batch was removed from the database. */
  void withdrawn(int worker, long batchNo) {
    Newest last = newest.get(worker);
    if (last != null && last.batchNo() == batchNo) {
      index.remove(last.pages());
    }
  }

  /** The pages of a worker's batches with higher numbers were removed from the database. */
  void removeAfter(int worker, long batchNo) {
    index.removeAfter(worker, batchNo);
  }

  /**
   * Removes pages whose window ended before {@code now}, until {@code most} keys are gone.
   *
   * @return how many
   */
  int purge(Instant now, int most) {
    List<KeyPage> due = index.pollExpired(now.toEpochMilli(), most);
    if (due.isEmpty()) {
      return 0;
    }
    boolean isPurged = false;
    try {
      long until = due.get(due.size() - 1).expiresAt();
      transactions.write(em -> KeyPageEntity.purge(em, until));
      isPurged = true;
    } finally {
      if (!isPurged) {
        index.written(due);
      }
    }
    return index.remove(due);
  }

  /** How many keys are taken, those that have expired included. */
  long count() {
    return index.size();
  }
}
