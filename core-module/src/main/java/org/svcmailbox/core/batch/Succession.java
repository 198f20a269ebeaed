package org.svcmailbox.core.batch;

import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;

/**
 * Keys that a page takes from pages whose window is not over: keys of dead letters that become
 * messages of its batch. Owned by the batch's worker.
 */
final class Succession {
  static final Succession NONE = new Succession(Map.of());

  private final Map<IdempotencyKey, Reservation> released;
  private final Map<IdempotencyKey, KeyPage> predecessors = new HashMap<>();

  /**
   * @param released the reservations that yield their keys; no others do
   */
  Succession(Map<IdempotencyKey, Reservation> released) {
    this.released = released;
  }

  /**
   * Takes a key from its holder if that is the released one. Each page that has had a key expires
   * later than the one before, so the expiry identifies it.
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
