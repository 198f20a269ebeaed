package org.svcmailbox.ejb.capability;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.ListedCapability.Kind;
import org.svcmailbox.core.capability.store.Minting;

/**
 * A page of mintings and revocations, merged from two tables. Nonces are hex digits, which every
 * collation sorts alike; only the database compares keys.
 */
record CapabilityListing(EntityManager em, Kind kind, int limit, Instant now) {

  List<ListedCapability> behind(String after) {
    boolean isInKeys = after.startsWith(ListedCapability.KEY);
    List<ListedCapability> page = new ArrayList<>();
    if (!isInKeys) {
      page.addAll(nonces(after.isEmpty() ? ListedCapability.NONCE : after));
    }
    if (kind != Kind.CONSOLE && page.size() < limit) {
      String first = isInKeys ? after : ListedCapability.KEY;
      RevocationEntity.page(
              em, RevocationEntity.PAGE, ListedCapability.KEY, first, limit - page.size())
          .forEach(revoked -> page.add(revoked.listed()));
    }
    return page;
  }

  private List<ListedCapability> nonces(String after) {
    String nonce = after.substring(ListedCapability.NONCE.length());
    List<Minting> mintings = MintingEntity.page(em, kind, nonce, limit, now);
    TreeMap<String, ListedCapability> found = new TreeMap<>();
    revocations(after, mintings)
        .forEach(revoked -> found.put(revoked.listed().subject(), revoked.listed()));
    for (Minting minting : mintings) {
      String subject = RevocationEntity.ofNonce(minting.id().nonce());
      found.compute(subject, (key, revoked) -> listed(subject, minting, revoked));
    }
    return found.values().stream().limit(limit).toList();
  }

  private List<RevocationEntity> revocations(String after, List<Minting> mintings) {
    return switch (kind) {
      case ALL ->
          RevocationEntity.page(em, RevocationEntity.PAGE, ListedCapability.NONCE, after, limit);
      case MINTED ->
          RevocationEntity.page(
              em, RevocationEntity.PAGE_MINTED, ListedCapability.NONCE, after, limit);
      case CONSOLE ->
          RevocationEntity.of(em, mintings.stream().map(each -> each.id().nonce()).toList());
    };
  }

  private static ListedCapability listed(
      String subject, Minting minting, @Nullable ListedCapability revoked) {
    Instant at = revoked == null ? null : revoked.revokedAt();
    return new ListedCapability(subject, minting.id().keyId(), minting, at);
  }
}
