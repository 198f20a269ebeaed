package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.time.Ticker;

/**
 * The parts that routed calls share.
 *
 * @param local the mailbox of this process, which forwards nothing
 * @param patience how long a call looks for the node that serves its group
 */
record Router(
    MailboxService local,
    Owners owners,
    Peers peers,
    ReadyPeers ready,
    Parking parking,
    Ticker ticker,
    RandomGenerator random,
    Duration patience) {
  private static final Duration FIRST_LOOK = Duration.ofMillis(25);
  private static final Duration LAST_LOOK = Duration.ofMillis(200);

  /** The owner of a routing slot. */
  Owner ownerOf(int slot) {
    return owners.of(slot % owners.groups());
  }

  int groupOf(int slot) {
    return slot % owners.groups();
  }

  /** How long to wait before the next look, after so many looks. */
  static Duration untilNextLook(int looks) {
    Duration wait = FIRST_LOOK.multipliedBy(1L << Math.min(looks, 3));
    return wait.compareTo(LAST_LOOK) < 0 ? wait : LAST_LOOK;
  }

  CompletableFuture<PeerReply> forward(NodeView node, Caller caller, PeerCall call) {
    ForwardedCall forwarded =
        new ForwardedCall(caller.token(), caller.address(), PeerTransport.LONGEST, call);
    return peers.call(node, forwarded);
  }

  /** The exception that a local call would have thrown. */
  static RuntimeException exception(PeerAnswer.Thrown thrown) {
    return switch (thrown.problem()) {
      case E_SCHEMA -> new SchemaException(thrown.violations());
      case E_NOT_FOUND -> new NotFoundException(thrown.detail());
      default -> new IllegalStateException("another node failed: " + thrown.detail());
    };
  }

  static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** One look of all parts, some tens of milliseconds after the last one. */
  int tick() {
    List<NodeView> alive = owners.peers();
    peers.tick(alive);
    ready.tick(alive);
    return parking.tick();
  }
}
