package org.svcmailbox.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A typed message queue with point-to-point, at-least-once delivery.
 *
 * <p>A message is queued until {@link #receive} puts it under a lease. Its holder then {@linkplain
 * Message#acknowledge() acknowledges} it, which deletes it, or {@linkplain Message#nack(Duration,
 * String) nacks} it, which returns it. A lease that runs out returns it too.
 *
 * <p>Implementations are thread-safe. Arguments are checked before any I/O: null throws {@link
 * NullPointerException}, a value outside the {@link #features()} throws {@link
 * IllegalArgumentException}, and an option that the backend lacks throws {@link
 * UnsupportedOperationException}. Every method except {@link #name}, {@link #features}, {@link
 * #isClosed} and {@link #close} throws {@link MailboxClosedException} after closing has begun. It
 * throws {@link MailboxConnectionException}, {@link AccessDeniedException} or {@link
 * MailboxNotFoundException} if the backend cannot be reached or refuses the call.
 *
 * @param <T> the bodies of the messages
 * @param <R> the bodies of the replies to them
 */
public interface Mailbox<T, R> extends AutoCloseable {
  /** The mailbox's name: 1 to 255 of {@code A-Z a-z 0-9 . _ -}. */
  String name();

  /** The backend's address for logs, without credentials; empty if unknown. */
  default String location() {
    return "";
  }

  /** The features of the backend, and its limits for the arguments of these methods. */
  BackendFeatures features();

  /**
   * Sends one message. {@link BackendFeatures#ordering()} defines its order among others: over HTTP
   * a topic has four shards by default, and only messages of one group share a shard. See {@link
   * #ordered}.
   *
   * @return the message's id
   * @throws MailboxFullException if the capacity is reached; nothing was sent
   * @throws SerializationException if the body cannot be encoded or is too large
   * @throws MailboxConnectionException if the call got no answer; with {@code UNKNOWN}, the message
   *     may have been sent
   */
  String send(T body);

  /**
   * Sends one message whose replies go to {@code replyTo}. The message carries only the name of
   * {@code replyTo}; the receiver's {@link MailboxResolver} finds the mailbox.
   *
   * @return the message's id
   * @throws MailboxException as {@link #send(Object)} does
   */
  String send(T body, Mailbox<? super R, ?> replyTo);

  /**
   * Sends one message with options.
   *
   * @return the message's id, and whether its key was already taken by the same message
   * @throws KeyConflictException if another body was sent with the same key
   * @throws MailboxException as {@link #send(Object)} does
   */
  Sent send(Outgoing<? extends T, ? super R> message);

  /**
   * A view of this mailbox that puts each message without a group into {@code group}. Messages are
   * delivered in the order in which their sends returned. Among sends that overlap, only the
   * messages of one {@link #sendAll} keep their order.
   *
   * @param group 1 to 255 characters, such as the id of the customer whose orders these are
   * @return a view: closing it closes this mailbox
   * @throws UnsupportedOperationException if the backend has no groups
   */
  default Mailbox<T, R> ordered(String group) {
    if (!features().groups()) {
      throw new UnsupportedOperationException("mailbox " + name() + " has no groups");
    }
    return new OrderedMailbox<>(this, Outgoing.group(group));
  }

  /**
   * Sends several messages, in one request if the backend supports that. Each message succeeds or
   * fails on its own.
   *
   * @param messages at most {@link BackendFeatures#maxBatch()}
   * @return one result for each message, in the same order
   * @throws MailboxClosedException if closing has begun; every other failure is in the results
   */
  List<SendResult> sendAll(List<? extends Outgoing<? extends T, ? super R>> messages);

  /**
   * Sends one message without waiting for the answer. A backend may gather messages into batches.
   * The stage always completes, at the latest when the mailbox is closed.
   *
   * @return completes with the result of {@link #send(Outgoing)}, or with the exception that it
   *     would throw
   */
  CompletionStage<Sent> sendAsync(Outgoing<? extends T, ? super R> message);

  /**
   * Receives up to {@code maxMessages} messages, each under its own lease.
   *
   * <p>Returns as soon as there is a message. Returns an empty list when {@code wait} has passed,
   * when the mailbox closes, or when the thread is interrupted; the interrupt flag then stays set.
   * A body that cannot be decoded fails {@link Message#body()}, never this call.
   *
   * @param maxMessages from 1 to {@link BackendFeatures#maxBatch()}
   * @param visibility how long the leases last, between {@link BackendFeatures#minVisibility()} and
   *     {@link BackendFeatures#maxVisibility()}
   * @param wait how long to wait for a message, from zero to {@link BackendFeatures#maxWait()}
   * @throws MailboxFullException if consumers already hold as many messages as may be held, or the
   *     backend limits the rate of receives; a later call may succeed
   */
  List<Message<T, R>> receive(int maxMessages, Duration visibility, Duration wait);

  /**
   * Receives as {@link #receive(int, Duration, Duration)} does, with leases of 30 s and a wait of
   * 20 s, or as near to these as the backend allows.
   *
   * @param maxMessages from 1 to {@link BackendFeatures#maxBatch()}
   */
  default List<Message<T, R>> receive(int maxMessages) {
    return receive(maxMessages, features().usualVisibility(), features().usualWait());
  }

  /** Receives one message as {@link #receive(int)} does; empty if none came. */
  default Optional<Message<T, R>> receive() {
    return receive(1).stream().findFirst();
  }

  /**
   * How many leases one call of {@link #extendAll} can extend. A mailbox that wraps another need
   * not override it; a worker then extends one lease in each call.
   */
  default int maxExtensions() {
    return 1;
  }

  /**
   * Extends the leases of several messages of this mailbox, in one call if the backend supports
   * that. Each extension succeeds or fails on its own, as in {@link Message#extendVisibility}.
   * Meant for heartbeats: a call may take longer than {@code extension} allows, but its answer is
   * then useless.
   *
   * @param messages at most {@link #maxExtensions()}
   * @return for each message, in order: empty, or the reason why its lease was not extended
   */
  default List<Optional<RuntimeException>> extendAll(
      List<? extends Message<T, R>> messages, Extension extension) {
    List<Optional<RuntimeException>> failures = new ArrayList<>();
    for (Message<T, R> message : messages) {
      try {
        message.extendVisibility(extension.timeout());
        failures.add(Optional.empty());
      } catch (RuntimeException e) {
        failures.add(Optional.of(e));
      }
    }
    return failures;
  }

  /**
   * Deletes every message that is not held. The backend decides whether held messages are deleted
   * too. With {@link BackendFeatures.KeyScope#WINDOW} the keys of deleted messages stay taken until
   * their windows end: a send with the same key is a duplicate and adds no message.
   *
   * @return the number of deleted messages, or empty if the backend does not report it
   */
  OptionalLong purge();

  /**
   * The approximate number of messages: ready, delayed and held. {@link BackendFeatures#count()} is
   * its accuracy.
   */
  long approximateCount();

  /** Whether closing has begun. */
  boolean isClosed();

  /**
   * Closes the mailbox. Refuses new calls, ends blocked {@link #receive} calls, completes or fails
   * pending {@link #sendAsync} calls within 10 s, then releases all resources. Messages still held
   * return to the queue when their leases run out. A second call does nothing.
   */
  @Override
  void close();
}
