package org.svcmailbox.client.spi;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.ReplyNotAvailableException;

/**
 * A delivery with its types, and whether it is finalized. One thread replies or settles at a time;
 * an extension waits for none of them, because a slow reply must not cost the lease.
 */
final class LeasedMessage<T, R> implements Message<T, R> {
  /** The attribute by which a request's id travels. */
  static final String IN_REPLY_TO = Outgoing.RESERVED + "in_reply_to";

  private static final int MAX_REASON = 1024;

  private final AbstractMailbox<T, R> mailbox;
  private final DriverDelivery delivery;
  private final ReentrantLock settling = new ReentrantLock();
  private volatile @Nullable T body;
  private volatile boolean isFinalized;
  private int replies;

  /** The settlement whose answer was lost, so that it may have happened. */
  private @Nullable Settlement lost;

  private enum Settlement {
    ACKNOWLEDGEMENT,
    NACK;

    /** Whether a repeated one that is refused for this reason has happened. */
    boolean isDone(Why why) {
      // A nacked message comes back, whether the nack ended its lease or the lease itself did.
      return this == NACK || why == Why.GONE || why == Why.ACKNOWLEDGED;
    }
  }

  LeasedMessage(AbstractMailbox<T, R> mailbox, DriverDelivery delivery) {
    this.mailbox = mailbox;
    this.delivery = delivery;
  }

  @Override
  public String id() {
    return delivery.id();
  }

  @Override
  public T body() {
    T decoded = body;
    if (decoded == null) {
      decoded = delivery.message().payload().decode(mailbox.codec());
      body = decoded;
    }
    return decoded;
  }

  @Override
  public byte[] rawBody() {
    return delivery.message().payload().bytes().clone();
  }

  @Override
  public String receiptHandle() {
    return delivery.receiptHandle();
  }

  @Override
  public int deliveryCount() {
    return delivery.deliveryCount();
  }

  @Override
  public Instant enqueuedAt() {
    return delivery.enqueuedAt();
  }

  @Override
  public Optional<String> replyTo() {
    return Optional.ofNullable(delivery.message().replyTo());
  }

  @Override
  public Map<String, String> attributes() {
    Map<String, String> attributes = delivery.message().attributes();
    if (!attributes.containsKey(IN_REPLY_TO)) {
      return attributes;
    }
    Map<String, String> own = new HashMap<>(attributes);
    own.remove(IN_REPLY_TO);
    return Map.copyOf(own);
  }

  @Override
  public Optional<String> inReplyTo() {
    return Optional.ofNullable(delivery.message().attributes().get(IN_REPLY_TO));
  }

  @Override
  public Optional<String> correlationId() {
    return Optional.ofNullable(delivery.message().correlationId());
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.ofNullable(delivery.message().traceparent());
  }

  @Override
  public Optional<String> tracestate() {
    return Optional.ofNullable(delivery.message().tracestate());
  }

  @Override
  public Optional<String> lastError() {
    return Optional.ofNullable(delivery.lastError()).filter(error -> !error.isEmpty());
  }

  @Override
  public String reply(R reply) {
    requireNonNull(reply, "reply");
    settling.lock();
    try {
      requireHeld();
      mailbox.openDriver();
      Mailbox<R, ?> target =
          mailbox.resolve(
              replyTo()
                  .orElseThrow(
                      () -> new ReplyNotAvailableException("message " + id() + " wants no reply")));
      String sent = target.send(outgoing(reply, target)).id();
      // Counted only now: a call that failed and is repeated has the same key.
      replies++;
      return sent;
    } finally {
      settling.unlock();
    }
  }

  private Outgoing<R, Object> outgoing(R reply, Mailbox<R, ?> target) {
    Outgoing.Builder<R, Object> message =
        Outgoing.builder(reply).inReplyTo(id()).correlationId(correlationId().orElse(id()));
    if (target.features().groups()) {
      message.group(id());
    }
    traceparent().ifPresent(message::traceparent);
    tracestate().ifPresent(message::tracestate);
    if (target.features().keys() != KeyScope.NONE) {
      message.key(id() + "/" + deliveryCount() + "/" + replies);
    }
    return message.build();
  }

  @Override
  public void acknowledge() {
    settle(Settlement.ACKNOWLEDGEMENT, () -> mailbox.openDriver().acknowledge(delivery));
  }

  @Override
  public void nack(Duration visibility, String reason) {
    mailbox.checks().nack(visibility);
    String kept = reason.length() <= MAX_REASON ? reason : cut(reason);
    settle(Settlement.NACK, () -> mailbox.openDriver().nack(delivery, visibility, kept));
  }

  @Override
  public void extendVisibility(Duration timeout) {
    mailbox.checks().visibility(timeout);
    requireHeld();
    mailbox.openDriver().extend(delivery, timeout);
  }

  @Override
  public boolean isFinalized() {
    return isFinalized;
  }

  @Override
  public String toString() {
    return "Message[" + mailbox.name() + ", " + id() + ", delivery " + deliveryCount() + "]";
  }

  private void settle(Settlement settlement, Runnable call) {
    settling.lock();
    try {
      requireHeld();
      call.run();
      isFinalized = true;
    } catch (MailboxConnectionException e) {
      lost = e.outcome() == Outcome.UNKNOWN ? settlement : lost;
      throw e;
    } catch (ReceiptHandleExpiredException e) {
      if (lost != settlement || !settlement.isDone(e.why())) {
        throw e;
      }
      isFinalized = true;
    } finally {
      settling.unlock();
    }
  }

  private void requireHeld() {
    if (isFinalized) {
      throw finalizedException(id());
    }
  }

  static MessageFinalizedException finalizedException(String id) {
    return new MessageFinalizedException("message " + id + " is acknowledged or nacked");
  }

  /**
   * The delivery behind a message.
   *
   * @throws IllegalArgumentException if another kind of mailbox made it
   */
  static DriverDelivery delivery(Message<?, ?> message) {
    if (message instanceof LeasedMessage<?, ?> held) {
      return held.delivery;
    }
    throw new IllegalArgumentException("message " + message.id() + " is of another mailbox");
  }

  /** Never between the two halves of a surrogate pair. */
  private static String cut(String reason) {
    int end =
        Character.isHighSurrogate(reason.charAt(MAX_REASON - 1)) ? MAX_REASON - 1 : MAX_REASON;
    return reason.substring(0, end);
  }
}
