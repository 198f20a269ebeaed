package org.svcmailbox.web.capability;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService.CapabilityPage;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.envelope.Timestamps;

/**
 * A page of minted and revoked capabilities.
 *
 * @param nextCursor the start of the next page; null on the last
 */
record CapabilityListResponse(List<Entry> capabilities, @Nullable String nextCursor) {
  /** One capability, without its secret. */
  record Entry(
      @Nullable String nonce,
      @Nullable String keyId,
      @Nullable List<String> caveats,
      @Nullable String note,
      @Nullable String mintedBy,
      @Nullable String mintedByName,
      @Nullable String mintedAt,
      @Nullable String expires,
      @Nullable String revokedAt,
      @Nullable Long leases) {
    private static Entry of(ListedCapability listed, @Nullable Map<String, Long> leases) {
      String nonce = listed.nonce();
      Minting minting = listed.minting();
      return new Entry(
          nonce,
          listed.keyId(),
          minting == null ? null : minting.caveats(),
          minting == null ? null : minting.note(),
          minting == null ? null : minting.by().id(),
          minting == null ? null : minting.by().name(),
          minting == null ? null : Timestamps.text(minting.at()),
          minting == null || minting.expires() == null ? null : minting.expires().toString(),
          listed.revokedAt() == null ? null : Timestamps.text(listed.revokedAt()),
          nonce == null || leases == null ? null : leases.getOrDefault(nonce, 0L));
    }
  }

  /**
   * @param leases by nonce; null if they are not known
   */
  static CapabilityListResponse of(CapabilityPage page, @Nullable Map<String, Long> leases) {
    return new CapabilityListResponse(
        page.capabilities().stream().map(listed -> Entry.of(listed, leases)).toList(), page.next());
  }
}
