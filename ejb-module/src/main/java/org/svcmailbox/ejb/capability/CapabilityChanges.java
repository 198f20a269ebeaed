package org.svcmailbox.ejb.capability;

import static java.util.Objects.requireNonNull;

import jakarta.persistence.EntityManager;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.capability.store.CapabilityStore.Revocations;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.ejb.store.ClusterCounter;

/** The revocations that a node has not read yet. */
final class CapabilityChanges {
  private CapabilityChanges() {}

  static Revocations revokedAfter(EntityManager em, long number, int most) {
    // First, so that a change in between is read again and not missed.
    long last = ClusterCounter.CAPABILITIES.value(em);
    List<RevocationEntity> rows = RevocationEntity.after(em, number, most);
    boolean isLast = rows.size() < most;
    return revocations(isLast ? last : rows.get(most - 1).no(), rows, isLast);
  }

  private static Revocations revocations(long number, List<RevocationEntity> rows, boolean isLast) {
    Map<String, Optional<String>> nonces = new HashMap<>();
    Set<String> keys = new HashSet<>();
    for (RevocationEntity row : rows) {
      ListedCapability revoked = row.listed();
      String nonce = revoked.nonce();
      if (nonce == null) {
        keys.add(requireNonNull(revoked.keyId()));
      } else {
        nonces.put(nonce, Optional.ofNullable(revoked.keyId()));
      }
    }
    return new Revocations(number, nonces, keys, isLast);
  }
}
