package org.svcmailbox.core.batch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The taken keys. The {@link KeyIndex} maps a key to its page; the page's content is in memory
 * until the database has it. Any thread.
 */
final class ReservedKeys {
  private final ProjectionStore store;
  private final KeyIndex index = new KeyIndex();
  private Runnable loss = () -> {};

  /** Pages that expired by this time are no longer in the database. */
  private volatile long purgedUntil = Long.MIN_VALUE;

  ReservedKeys(ProjectionStore store) {
    this.store = store;
  }

  /** Sets the action to run when the database has lost a page. */
  void onLoss(Runnable action) {
    loss = action;
  }

  /** Reads a worker's keys. The database must have all batches of its log. */
  void load(WorkerId worker) {
    store.keyPages(
        worker,
        (batchNo, keys) -> {
          KeyPage page = new KeyPage(worker, batchNo, keys.expiresAt());
          keys.forEach(key -> index.load(key, page));
          index.applied(List.of(page));
        });
  }

  /**
   * Forgets a worker's keys. A key that one of them took from another worker's page is free until
   * that page is loaded again.
   */
  void forget(WorkerId worker) {
    index.forget(worker);
  }

  /**
   * The states of the keys that are taken. Asks the database at most once for each page that it
   * has.
   *
   * @param now keys that expired by then are {@link Taken.Expired}
   */
  Map<IdempotencyKey, Taken> find(Collection<IdempotencyKey> keys, Instant now) {
    Map<IdempotencyKey, Taken> found = new HashMap<>();
    Map<KeyPage, List<IdempotencyKey>> stored = new HashMap<>();
    for (IdempotencyKey key : keys) {
      KeyPage page = index.find(key);
      if (page == null) {
        continue;
      }
      StoredKeys unapplied = page.unapplied();
      if (page.expiresAt() <= now.toEpochMilli()) {
        found.put(key, new Taken.Expired());
      } else if (!page.isConfirmed()) {
        found.put(key, new Taken.Unconfirmed());
      } else if (unapplied != null) {
        add(found, key, unapplied.find(key));
      } else {
        stored.computeIfAbsent(page, none -> new ArrayList<>()).add(key);
      }
    }
    stored.forEach((page, wanted) -> read(page, wanted, found));
    return found;
  }

  private void read(KeyPage page, List<IdempotencyKey> wanted, Map<IdempotencyKey, Taken> found) {
    StoredKeys keys = stored(page);
    if (keys != null) {
      wanted.forEach(key -> add(found, key, keys.find(key)));
    } else if (!isPurged(page)) {
      wanted.forEach(key -> found.put(key, new Taken.Unreadable()));
    }
  }

  /**
   * The stored form of a page; null if it cannot be read. If a page is missing that was not purged,
   * the database has fallen back: the page's keys stay taken.
   */
  private @Nullable StoredKeys stored(KeyPage page) {
    try {
      byte[] entries = store.entries(page.worker(), page.batchNo(), page.expiresAt());
      if (entries.length > 0) {
        return new StoredKeys(page.expiresAt(), entries);
      }
      if (!isPurged(page)) {
        loss.run();
      }
    } catch (UnavailableException e) {
      // The page is unreadable until the database is back.
    }
    return null;
  }

  private boolean isPurged(KeyPage page) {
    return page.isRemoved() || page.expiresAt() <= purgedUntil;
  }

  private static void add(
      Map<IdempotencyKey, Taken> found, IdempotencyKey key, @Nullable Reservation reservation) {
    if (reservation != null) {
      found.put(key, new Taken.Confirmed(reservation));
    }
  }

  /**
   * Takes the keys of a batch, all or none.
   *
   * @param now keys that expired by then are free
   * @param released keys that are free for this batch as long as these reservations hold them
   * @return their pages, unconfirmed
   */
  List<KeyPage> take(Batch batch, Instant now, Map<IdempotencyKey, Reservation> released)
      throws KeyTakenException {
    List<KeyPage> taken = new ArrayList<>();
    for (StoredKeys keys : batch.pages().keys()) {
      Succession succession = released.isEmpty() ? Succession.NONE : new Succession(released);
      KeyPage page = new KeyPage(batch.worker(), batch.id().number(), keys, succession);
      taken.add(page);
      IdempotencyKey other = index.takeAll(keys, page, now.toEpochMilli());
      if (other != null) {
        free(taken);
        throw new KeyTakenException(other);
      }
    }
    return taken;
  }

  /**
   * Frees pages whose batch the broker does not have. Keys that they took from other pages go back.
   */
  void free(Collection<KeyPage> pages) {
    pages.forEach(index::giveBack);
    index.remove(pages);
  }

  void applied(Collection<KeyPage> pages) {
    index.applied(pages.stream().filter(KeyPage::applied).toList());
  }

  /**
   * Removes pages whose window ended before {@code now}, until {@code most} keys are removed. The
   * database keeps those of other workers, which another process may look for.
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
      purgedUntil = Math.max(purgedUntil, until);
      store.purgeKeys(due.stream().map(KeyPage::worker).collect(Collectors.toSet()), until);
      isPurged = true;
    } finally {
      if (!isPurged) {
        index.applied(due);
      }
    }
    return index.remove(due);
  }

  long count() {
    return index.size();
  }
}
