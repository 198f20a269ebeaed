package org.svcmailbox.core.worker.send;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.bounds.Admission.Admitted;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Command;

/** A SEND, complete except for its place in the ledger. Immutable. */
public final class Send implements Command {
  private final Topic topic;
  private final ShardId shard;
  private final IdempotencyKey key;
  private final Envelope envelope;
  private final SendRequest request;
  private final @Nullable CapabilityId sender;
  private final @Nullable SourceLetter origin;
  private final Admitted admitted;
  private final CompletableFuture<SendOutcome> reply = new CompletableFuture<>();

  /**
   * @param sender the client's capability; null if no client sent the message
   * @param origin the dead letter to remove with it; null for a client's message
   * @param admitted counts it until a worker takes it
   */
  public Send(
      Topic topic,
      ShardId shard,
      Envelope envelope,
      SendRequest request,
      @Nullable CapabilityId sender,
      @Nullable SourceLetter origin,
      Admitted admitted) {
    this.topic = topic;
    this.shard = shard;
    this.key = IdempotencyKey.of(topic, envelope.idemKey());
    this.envelope = envelope;
    this.request = request;
    this.sender = sender;
    this.origin = origin;
    this.admitted = admitted;
  }

  Topic topic() {
    return topic;
  }

  public ShardId shard() {
    return shard;
  }

  IdempotencyKey key() {
    return key;
  }

  /** The client's capability; null if no client sent the message. */
  @Nullable CapabilityId sender() {
    return sender;
  }

  Envelope envelope() {
    return envelope;
  }

  Duration delay() {
    return request.delay();
  }

  /** Payload bytes. */
  int size() {
    return request.payload().size();
  }

  @Nullable SourceLetter origin() {
    return origin;
  }

  /** Whether it ends this message, which is its dead letter. */
  boolean ends(MsgId message) {
    return origin != null && origin.msgId().equals(message);
  }

  public CompletableFuture<SendOutcome> reply() {
    return reply;
  }

  /** The message in the broker's form, at its place in the ledger. */
  StoredMessage message(long seq, Instant readyAt) {
    MessageHistory history = origin == null ? MessageHistory.NONE : origin.history();
    Duration ttl = request.ttl();
    Instant expiresAt = StoredMessage.expiry(readyAt, ttl, topic.settings().retention());
    return new StoredMessage(
        envelope.withSeq(seq), request.payload(), null, expiresAt, ttl, history, request.trace());
  }

  /**
   * Ends its count among the pending SENDs. Takes effect once, when a worker takes or refuses it.
   */
  public void leavePending() {
    admitted.take();
  }

  /** Ends its count as if it had never existed. Takes effect once, when no worker gets it. */
  public void withdraw() {
    admitted.withdraw();
  }

  @Override
  public void refuse(Refusal refusal) {
    reply.complete(refusal);
  }

  @Override
  public boolean isAnswered() {
    return reply.isDone();
  }
}
