package org.svcmailbox.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService.Revoked;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/** One bound with two holders, two streams and two leases; records the last call. */
public final class FakeHoldings implements HoldingService {
  static final MsgId LEASED = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");

  /** Whether no worker answers. */
  public volatile boolean isAway;

  /** Leases by nonce. */
  public volatile Map<String, Long> counts = Map.of();

  /** The last call with its arguments. */
  public volatile String asked = "";

  @Override
  public List<SharedBound> holdings(Caller caller) {
    return List.of(
        new SharedBound(
            "global_inflight",
            7,
            20_000,
            List.of(new Holder("orders", 7)),
            List.of(new Holder("0".repeat(32), 7))));
  }

  @Override
  public List<HeldStream> streams(Caller caller) {
    return List.of(
        new HeldStream(new TopicName("orders"), "grpc", "1".repeat(32), Instant.EPOCH, 7, "window"),
        new HeldStream(new TopicName("t"), "http", "2".repeat(32), Instant.EPOCH, 0, null));
  }

  @Override
  public List<HeldLease> leases(Caller caller, TopicName name, int limit) {
    asked = "leases " + name + " " + limit;
    Instant later = Instant.EPOCH.plusSeconds(30);
    HeldLease lease =
        new HeldLease(LEASED, 3, 2, Instant.EPOCH, later, later, 9, "1".repeat(32), "stock");
    return List.of(lease, lease.withoutHolder());
  }

  @Override
  public List<LeaseHolding> leaseHolders(Caller caller) {
    List<TopicName> topics = List.of(new TopicName("orders"), new TopicName("t"));
    return List.of(new LeaseHolding("1".repeat(32), "stock", 7, 70, Instant.EPOCH, topics));
  }

  @Override
  public Map<String, Long> leaseCounts(Caller caller) {
    if (isAway) {
      throw new UnavailableException("a worker does not answer");
    }
    return counts;
  }

  @Override
  public long withdraw(Caller caller, TopicName name, LeaseSelection which, String note) {
    asked = "withdraw " + name + " " + which + ": " + note;
    return 5;
  }

  @Override
  public long withdraw(Caller caller, Revoked revoked) {
    asked = "withdraw " + revoked.subject();
    return 3;
  }
}
