package org.svcmailbox.ejb.capability;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;

/**
 * A page of mintings and revocations, merged from two tables. Nonces are hex digits, which every
 * collation sorts alike; only the database compares keys.
 */
record CapabilityListing(EntityManager em, int limit, Instant now) {

  List<ListedCapability> behind(String after) {
    boolean isInKeys = after.startsWith(ListedCapability.KEY);
    List<ListedCapability> page = new ArrayList<>();
    if (!isInKeys) {
      page.addAll(nonces(after.isEmpty() ? ListedCapability.NONCE : after));
    }
    if (page.size() < limit) {
      String first = isInKeys ? after : ListedCapability.KEY;
      RevocationEntity.page(em, ListedCapability.KEY, first, limit - page.size())
          .forEach(revoked -> page.add(revoked.listed()));
    }
    return page;
  }

  private List<ListedCapability> nonces(String after) {
    TreeMap<String, ListedCapability> found = new TreeMap<>();
    RevocationEntity.page(em, ListedCapability.NONCE, after, limit)
        .forEach(revoked -> found.put(revoked.listed().subject(), revoked.listed()));
    String nonce = after.substring(ListedCapability.NONCE.length());
    for (Minting minting : MintingEntity.page(em, nonce, limit, now)) {
      String subject = RevocationEntity.ofNonce(minting.id().nonce());
      found.compute(subject, (key, revoked) -> listed(subject, minting, revoked));
    }
    return found.values().stream().limit(limit).toList();
  }

  private static ListedCapability listed(
      String subject, Minting minting, @Nullable ListedCapability revoked) {
    Instant at = revoked == null ? null : revoked.revokedAt();
    return new ListedCapability(subject, minting.id().keyId(), minting, at);
  }
}
