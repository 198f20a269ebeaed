package org.svcmailbox.web.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.Timestamps;

/** Leases of a topic, oldest first. */
record LeasesResponse(List<OpenLease> leases) {
  /** One lease, without its receipt. */
  record OpenLease(
      String msgId,
      int shard,
      int attempt,
      String leasedAt,
      String deadline,
      String until,
      int payloadBytes,
      @Nullable String holder,
      @Nullable String holderName) {
    private static OpenLease of(HeldLease held) {
      return new OpenLease(
          held.msgId().toString(),
          held.shard(),
          held.attempt(),
          Timestamps.text(held.leasedAt()),
          Timestamps.text(held.deadline()),
          Timestamps.text(held.until()),
          held.bytes(),
          held.holder(),
          held.holderName());
    }
  }

  static LeasesResponse of(List<HeldLease> held) {
    return new LeasesResponse(held.stream().map(OpenLease::of).toList());
  }
}
