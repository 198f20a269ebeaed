package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.Set;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleRequest;

/** A call for the node that has its group. Payload and trace are fields of the request. */
public sealed interface PeerCall {
  /** A SEND. */
  record Send(SendRequest request) implements PeerCall {}

  /** A RECV that does not wait. */
  record Recv(RecvId id, RecvRequest request) implements PeerCall {
    /** Checks that it does not wait. */
    public Recv {
      if (!request.maxWait().equals(Duration.ZERO)) {
        throw new IllegalArgumentException("a forwarded RECV does not wait");
      }
    }
  }

  /** An ACK, NACK, rejection or EXTEND. */
  record Settle(SettleRequest request) implements PeerCall {}

  /** The client of a RECV is gone: its leases end, without an attempt spent. */
  record GiveBack(RecvId id) implements PeerCall {}

  /** A part of an operator's call. It travels alone, because it may take long. */
  record Ask(Set<Integer> groups, GroupTask task) implements PeerCall {
    /** Copies the groups. */
    public Ask {
      groups = Set.copyOf(groups);
    }
  }
}
