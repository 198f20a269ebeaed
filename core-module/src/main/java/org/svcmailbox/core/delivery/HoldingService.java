package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Shows the holders of shared limits, leases and streams, and ends leases for operators. Needs
 * {@code admin} unless a method says otherwise, or {@code audit} for streams; methods throw {@code
 * DeniedException} without it.
 */
public interface HoldingService {
  int MOST_HOLDERS = 10;

  int MOST_STREAMS = 100;

  int MOST_LEASES = 100;

  int MOST_TOPICS = 5;

  /**
   * An amount and its holder: a topic, or the nonce of a capability with everything narrowed from
   * it. For the limit {@code topics_max}, the topics are those of a namespace: {@code orders.*}, or
   * {@code *} for all without a dot.
   */
  record Holder(String holder, long amount) {}

  /**
   * A shared limit and its largest holders, largest first, at most {@link #MOST_HOLDERS} of each
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

  /**
   * A lease of a message.
   *
   * @param leasedAt when the consumer got the message
   * @param deadline when it ends unless it is extended
   * @param until the latest end that an extension can reach
   * @param bytes of the payload
   * @param holder the nonce of the capability; null for callers without {@code audit}
   * @param holderName its name; null without one, and while the database is away
   */
  record HeldLease(
      MsgId msgId,
      int shard,
      int attempt,
      Instant leasedAt,
      Instant deadline,
      Instant until,
      int bytes,
      @Nullable String holder,
      @Nullable String holderName) {
    /** The same for callers who may not know who holds it. */
    public HeldLease withoutHolder() {
      return heldBy(null, null);
    }

    /** The same with the name of its holder. */
    public HeldLease named(@Nullable String name) {
      return heldBy(holder, name);
    }

    private HeldLease heldBy(@Nullable String nonce, @Nullable String name) {
      return new HeldLease(msgId, shard, attempt, leasedAt, deadline, until, bytes, nonce, name);
    }
  }

  /**
   * Leases of a topic, oldest first; at most a second old. Needs {@code peek} or {@code admin}.
   *
   * @param limit 1 to {@link #MOST_LEASES}
   * @throws org.svcmailbox.core.problem.NotFoundException if the topic does not exist
   * @throws org.svcmailbox.core.problem.UnavailableException if a worker does not answer
   */
  List<HeldLease> leases(Caller caller, TopicName name, int limit);

  /**
   * A capability and its leases of all topics.
   *
   * @param holder the nonce of the capability
   * @param holderName its name; null without one, and while the database is away
   * @param bytes of their payloads
   * @param topics those with most of its leases, at most {@link #MOST_TOPICS}, most first
   */
  record LeaseHolding(
      String holder,
      @Nullable String holderName,
      long count,
      long bytes,
      Instant oldestAt,
      List<TopicName> topics) {
    /** The same with the name of its holder. */
    public LeaseHolding named(@Nullable String name) {
      return new LeaseHolding(holder, name, count, bytes, oldestAt, topics);
    }
  }

  /**
   * The holders with most leases, at most {@link #MOST_LEASES}; at most a second old. Needs {@code
   * audit} for all topics.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if a worker does not answer
   */
  List<LeaseHolding> leaseHolders(Caller caller);

  /**
   * How many leases each capability has, by its nonce, of those that have any; at most a second
   * old. Needs {@code audit} for all topics.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if a worker does not answer
   */
  Map<String, Long> leaseCounts(Caller caller);

  /** Open streams, oldest first, at most {@link #MOST_STREAMS}. Answers from memory. */
  List<HeldStream> streams(Caller caller);

  /** The limits with their holders. Answers from memory. */
  List<SharedBound> holdings(Caller caller);

  /**
   * Ends the leases of a topic as if their deadlines had passed; audited. Holders cannot extend
   * them, and a late ACK succeeds until another consumer has the message.
   *
   * @param note of the operator
   * @return how many
   * @throws org.svcmailbox.core.problem.NotFoundException if the topic does not exist
   * @throws org.svcmailbox.core.problem.UnavailableException if a worker does not answer; some
   *     leases may have ended
   */
  long withdraw(Caller caller, TopicName name, LeaseSelection which, String note);

  /**
   * As above, for the leases of all topics that were taken with revoked capabilities. Needs the
   * right of the revocation.
   *
   * @return how many
   */
  long withdraw(Caller caller, CapabilityService.Revoked revoked);
}
