package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The holders of the bounds that all callers share and of streams, and the end of leases by
 * operators. Needs {@code admin}, or {@code audit} for streams; methods throw {@code
 * DeniedException} without it.
 */
public interface HoldingService {
  int MOST_HOLDERS = 10;

  int MOST_STREAMS = 100;

  /**
   * A topic, or the nonce of a capability with all that is narrowed from it, and its amount. Of the
   * bound {@code topics_max}, topics are those of a namespace: {@code orders.*}, or {@code *} for
   * all without a dot.
   */
  record Holder(String holder, long amount) {}

  /**
   * A shared bound and its largest holders, largest first, at most {@link #MOST_HOLDERS} of each
   * kind.
   *
   * @param reason as in a {@code 429}
   */
  record SharedBound(
      String reason, long used, long capacity, List<Holder> topics, List<Holder> capabilities) {}

  /**
   * An open stream of messages.
   *
   * @param door {@code http} or {@code grpc}
   * @param capability the nonce of its holder
   * @param unsettled messages in its window
   * @param paused the reason why it leases nothing, such as {@code window}; null when it can lease
   */
  record HeldStream(
      TopicName topic,
      String door,
      String capability,
      Instant since,
      int unsettled,
      @Nullable String paused) {}

  /** Open streams, oldest first, at most {@link #MOST_STREAMS}; from memory. */
  List<HeldStream> streams(Caller caller);

  /** The bounds with their holders, from memory. */
  List<SharedBound> holdings(Caller caller);

  /**
   * Ends the leases of a topic as if their time were over; audited. Their holders cannot extend
   * them, and a late ACK succeeds until another consumer has the message.
   *
   * @param nonce of the capability whose leases end; null for all
   * @return how many
   * @throws org.svcmailbox.core.problem.NotFoundException when there is no such topic
   */
  long withdraw(Caller caller, TopicName name, @Nullable String nonce);

  /**
   * Ends the leases of all topics that were taken with revoked capabilities, as above.
   *
   * @return how many
   */
  long withdraw(Caller caller, CapabilityService.Revoked revoked);
}
