package org.svcmailbox.core.batch;

import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/**
 * Keys that a page takes from pages whose windows are not over: those of dead letters that become
 * messages of its batch. Owned by the worker of the batch.
 */
final class Succession {
  static final Succession NONE = new Succession(Map.of());

  private final Map<IdempotencyKey, Reservation> released;
  private final Map<IdempotencyKey, KeyPage> predecessors = new HashMap<>();

  /**
   * @param released keys that these reservations, and no others, yield
   */
  Succession(Map<IdempotencyKey, Reservation> released) {
    this.released = released;
  }

  /**
   * Takes a key from its holder if that is the released one. Of the pages that have had a key, each
   * expires later than the one before, so the expiry tells which it is.
   */
  boolean takes(IdempotencyKey key, KeyPage holder) {
    Reservation reservation = released.get(key);
    boolean isReleased =
        reservation != null && reservation.expiresAt().toEpochMilli() == holder.expiresAt();
    if (isReleased) {
      predecessors.put(key, holder);
    }
    return isReleased;
  }

  /** The pages that had the keys before. */
  Map<IdempotencyKey, KeyPage> predecessors() {
    return predecessors;
  }
}
