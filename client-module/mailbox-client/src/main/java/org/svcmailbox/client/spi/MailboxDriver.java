package org.svcmailbox.client.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;

/**
 * The port that a backend implements: one queue of encoded messages.
 *
 * <p>Arguments arrive checked against {@link #features()}. Every method may be called by many
 * threads at once. Each throws the {@link MailboxException} that {@link Mailbox} documents. After a
 * failure with {@link MailboxConnectionException}, the same call can be repeated.
 */
public interface MailboxDriver extends AutoCloseable {
  /** Where the backend is, for logs: an address without credentials. */
  default String location() {
    return "";
  }

  /** The abilities of the backend, which never change. */
  BackendFeatures features();

  /**
   * Adds a message. When this returns, the message is as durable as {@link
   * BackendFeatures#durability()} says. A failed call without {@code UNKNOWN} added nothing.
   */
  Sent send(EncodedMessage message);

  /** Adds messages, each alone, and returns one result for each in order. */
  default List<SendResult> sendAll(List<EncodedMessage> messages) {
    List<SendResult> results = new ArrayList<>();
    for (EncodedMessage message : messages) {
      try {
        results.add(new SendResult.Accepted(send(message)));
      } catch (MailboxException e) {
        results.add(new SendResult.Failed(e));
      }
    }
    return results;
  }

  /**
   * Adds a message without waiting. The stage always completes: {@link #close} completes or fails
   * pending sends within 10 s.
   */
  default CompletionStage<Sent> sendAsync(EncodedMessage message) {
    return CompletableFuture.completedFuture(send(message));
  }

  /**
   * Puts messages under leases, in the order that {@link BackendFeatures#ordering()} says. No
   * message has two leases at a time. Returns an empty list when {@code wait} is over or the driver
   * closes.
   *
   * @throws InterruptedException if the thread is interrupted; no message is then held by this call
   */
  List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException;

  /**
   * Deletes a message permanently. On a backend with {@link
   * BackendFeatures#lateAcknowledgements()}, a lease that ran out still counts if no consumer has
   * taken the message since.
   *
   * @throws ReceiptHandleExpiredException if another lease of the message has begun or ended since,
   *     so that nothing was deleted
   */
  void acknowledge(DriverDelivery delivery);

  /**
   * Ends a lease. The message is ready again after {@code visibility}.
   *
   * @param reason at most 1,024 characters
   * @throws ReceiptHandleExpiredException as for {@link #acknowledge}
   */
  void nack(DriverDelivery delivery, Duration visibility, String reason);

  /**
   * Sets the end of a lease to {@code timeout} from now.
   *
   * @throws ReceiptHandleExpiredException as for {@link #acknowledge}
   */
  void extend(DriverDelivery delivery, Duration timeout);

  /** How many leases one {@link #extendAll} extends. */
  default int maxExtensions() {
    return 1;
  }

  /**
   * Extends leases in one call; each succeeds or fails on its own, as in {@link #extend}.
   *
   * @param deliveries at most {@link #maxExtensions()}
   * @return for each message, in order: empty, or the reason why its lease was not extended
   */
  default List<Optional<RuntimeException>> extendAll(
      List<DriverDelivery> deliveries, Extension extension) {
    List<Optional<RuntimeException>> failures = new ArrayList<>();
    for (DriverDelivery delivery : deliveries) {
      try {
        extend(delivery, extension.timeout());
        failures.add(Optional.empty());
      } catch (RuntimeException e) {
        failures.add(Optional.of(e));
      }
    }
    return failures;
  }

  /** Deletes all messages that are not held; returns how many, if known. */
  OptionalLong purge();

  /** How many messages there are, with the held and the delayed. */
  long approximateCount();

  /** Ends blocked receives and releases everything. Called once. */
  @Override
  void close();
}
