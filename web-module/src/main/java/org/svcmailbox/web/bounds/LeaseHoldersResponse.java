package org.svcmailbox.web.bounds;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService.LeaseHolding;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;

/** Holders of leases, those with most first. */
record LeaseHoldersResponse(List<HolderOfLeases> holders) {
  /** One capability with its leases. */
  record HolderOfLeases(
      String holder,
      @Nullable String holderName,
      long count,
      long bytes,
      String oldestAt,
      List<String> topics) {
    private static HolderOfLeases of(LeaseHolding held) {
      return new HolderOfLeases(
          held.holder(),
          held.holderName(),
          held.count(),
          held.bytes(),
          Timestamps.text(held.oldestAt()),
          held.topics().stream().map(TopicName::value).toList());
    }
  }

  static LeaseHoldersResponse of(List<LeaseHolding> held) {
    return new LeaseHoldersResponse(held.stream().map(HolderOfLeases::of).toList());
  }
}
