package org.svcmailbox.core.batch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerId;

/** Exactly the batches that the broker has; a {@link SendRegistry} must agree with it. */
final class NaiveRegistry {
  private final Map<IdempotencyKey, Reservation> keys = new HashMap<>();
  private final Map<LedgerId, List<LedgerEntry>> ledgers = new HashMap<>();
  private final Map<Integer, List<Row>> open = new HashMap<>();
  private final Set<Row> answered = new HashSet<>();

  /** A worker's transaction is under way, or its outcome is unknown. */
  void open(int worker, List<Row> rows) {
    open.put(worker, rows);
  }

  /** It is committed. */
  void commit(int worker) {
    for (Row row : open.getOrDefault(worker, List.of())) {
      keys.merge(row.key(), row.reservation(), NaiveRegistry::later);
      LedgerId ledger = new LedgerId(row.topicId(), row.shard());
      ledgers.computeIfAbsent(ledger, none -> new ArrayList<>()).add(row.entry());
    }
  }

  private static Reservation later(Reservation one, Reservation other) {
    return one.expiresAt().isAfter(other.expiresAt()) ? one : other;
  }

  /** The worker knows the outcome. */
  void resolved(int worker) {
    open.remove(worker);
  }

  /** The messages of a worker's batch were answered. */
  void answered(int worker) {
    answered.addAll(open.getOrDefault(worker, List.of()));
  }

  Set<Row> answered() {
    return answered;
  }

  /** Whether a batch of unknown outcome has the key, and its window is not over. */
  boolean isOpen(IdempotencyKey key, Instant now) {
    return open.values().stream()
        .flatMap(List::stream)
        .anyMatch(row -> row.key().equals(key) && row.reservation().isLive(now));
  }

  /** The reservation of a message that the broker has; null if its window is over. */
  @Nullable Reservation live(IdempotencyKey key, Instant now) {
    Reservation reservation = keys.get(key);
    return reservation != null && reservation.isLive(now) ? reservation : null;
  }

  /** All keys whose windows are not over. */
  Map<IdempotencyKey, Reservation> live(Instant now) {
    Map<IdempotencyKey, Reservation> live = new HashMap<>(keys);
    live.values().removeIf(reservation -> !reservation.isLive(now));
    return live;
  }

  Map<LedgerId, List<LedgerEntry>> ledgers() {
    return ledgers;
  }
}
