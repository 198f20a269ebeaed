package org.svcmailbox.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One delivery of a message, held under a lease.
 *
 * <p>The holder finalizes it with {@link #acknowledge} or {@link #nack}. Until then it may {@link
 * #reply} any number of times and extend the lease. After a call that fails with {@link
 * MailboxConnectionException} the message is still held, and the caller may repeat the call.
 * Instances are thread-safe.
 *
 * @param <T> the body
 * @param <R> the bodies of replies
 */
public interface Message<T, R> {
  /** The message's id, the same in each delivery. */
  String id();

  /**
   * The body, decoded by the first call.
   *
   * @throws SerializationException if the bytes cannot be decoded; the message stays held
   * @throws IntegrityException if the bytes differ from those sent
   */
  T body();

  /**
   * A copy of the encoded body.
   *
   * @throws UnsupportedOperationException if the mailbox's codec is {@code Codecs.reference()}
   */
  byte[] rawBody();

  /** The handle of this delivery. The next delivery has another. */
  String receiptHandle();

  /**
   * The number of this delivery, from 1. A crash of the service ends all leases; it then delivers
   * their messages again with the same number.
   */
  int deliveryCount();

  /** When the mailbox accepted the message, by the backend's clock. */
  Instant enqueuedAt();

  /** The name of the mailbox that replies go to. */
  Optional<String> replyTo();

  /** The sender's attributes, unmodifiable. */
  Map<String, String> attributes();

  /** The sender's correlation id, or one that the backend gave the message. */
  Optional<String> correlationId();

  /**
   * The id of the request that this message replies to, as returned by {@link Mailbox#send(Object,
   * Mailbox)}. Empty if the message is not a reply.
   */
  default Optional<String> inReplyTo() {
    return Optional.empty();
  }

  /** The sender's trace context, as in the W3C header of that name. */
  Optional<String> traceparent();

  /** The W3C header of that name; it accompanies {@link #traceparent}. */
  Optional<String> tracestate();

  /**
   * The reason of the last {@link #nack}, if the backend has {@link BackendFeatures#nackReasons()}.
   * Empty on a first delivery, after a nack without a reason, and after a lease that ran out.
   */
  Optional<String> lastError();

  /**
   * Sends a reply to {@link #replyTo()}. The reply carries this message's id ({@link
   * #inReplyTo()}). Its correlation id is this message's correlation id, or this message's id if it
   * has none. Replies to one message form one group, so they arrive in order if the target keeps
   * order. If the target supports keys, the key contains this message's id, the delivery and the
   * reply's number, so a repeated call sends no second reply.
   *
   * @return the reply's id
   * @throws MessageFinalizedException if the message is acknowledged or nacked
   * @throws ReplyNotAvailableException if the message names no mailbox for replies, or the resolver
   *     does not find it
   * @throws MailboxException as {@link Mailbox#send(Object)} does
   */
  String reply(R body);

  /**
   * Deletes the message and finalizes this delivery. On a backend with {@link
   * BackendFeatures#lateAcknowledgements()}, this also works after the lease has ended, if no
   * consumer has received the message since. A nack or an extension fails after the lease has
   * ended.
   *
   * @throws ReceiptHandleExpiredException if the lease is lost; the message is not deleted
   * @throws MessageFinalizedException if the message is acknowledged or nacked
   */
  void acknowledge();

  /**
   * Returns the message to its mailbox and finalizes this delivery.
   *
   * @param visibility how long the message stays hidden, from zero to {@link
   *     BackendFeatures#maxVisibility()}
   * @param reason the reason, for operators; cut to 1,024 characters
   * @throws ReceiptHandleExpiredException if the lease is lost
   * @throws MessageFinalizedException if the message is acknowledged or nacked
   */
  void nack(Duration visibility, String reason);

  /** Returns the message to its mailbox without a reason, as {@link #nack(Duration, String)}. */
  default void nack(Duration visibility) {
    nack(visibility, "");
  }

  /**
   * Sets the end of the lease to {@code timeout} from now.
   *
   * @param timeout between {@link BackendFeatures#minVisibility()} and {@link
   *     BackendFeatures#maxVisibility()}
   * @throws LongestLeaseException if the lease would outlast the longest lease of its topic; it is
   *     unchanged
   * @throws ReceiptHandleExpiredException if the lease is lost
   * @throws MessageFinalizedException if the message is acknowledged or nacked
   */
  void extendVisibility(Duration timeout);

  /** Whether this delivery was acknowledged or nacked. A lost lease does not finalize it. */
  boolean isFinalized();
}
