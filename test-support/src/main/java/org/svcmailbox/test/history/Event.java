package org.svcmailbox.test.history;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a client, as the client saw it. */
public sealed interface Event {
  /** The time of the call. */
  CallSpan span();

  /** The caller's knowledge. */
  CallOutcome outcome();

  /** The fields that make two SENDs the same message. */
  record MessageKey(String topic, String idemKey) {}

  /** The answer to a SEND. */
  record Accepted(String msgId, boolean duplicate) {}

  /**
   * A SEND.
   *
   * @param accepted null unless the outcome is OK
   */
  record Send(
      CallSpan span,
      CallOutcome outcome,
      MessageKey key,
      String payloadHash,
      @Nullable Accepted accepted)
      implements Event {}

  /** A message's place in the order of its shard. */
  record ShardPlace(int shard, long seq) {}

  /**
   * One message in the answer to a RECV.
   *
   * @param payloadHash of the bytes that arrived, computed by the client
   * @param place null for a delayed message, which keeps no order
   */
  record Handed(
      String msgId,
      String idemKey,
      String payloadHash,
      int attempt,
      String receipt,
      @Nullable ShardPlace place) {}

  /** A RECV; {@code handed} is empty unless the outcome is OK. */
  record Recv(
      CallSpan span, CallOutcome outcome, String topic, Duration visibility, List<Handed> handed)
      implements Event {
    public Recv {
      handed = List.copyOf(handed);
    }
  }

  /** An operation on a delivery. */
  enum Verb {
    ACK,
    NACK,
    EXTEND
  }

  /**
   * An ACK, a NACK or an EXTEND.
   *
   * @param receipt null when the caller gave none
   * @param visibility what an EXTEND asked for, zero otherwise
   */
  record Settle(
      CallSpan span,
      CallOutcome outcome,
      Verb verb,
      String msgId,
      @Nullable String receipt,
      Duration visibility)
      implements Event {}
}
