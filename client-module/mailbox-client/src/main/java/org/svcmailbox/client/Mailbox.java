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
 * NullPointerException}, a value outside the {@link #capabilities()} throws {@link
 * IllegalArgumentException}, and an option that the backend lacks throws {@link
 * UnsupportedOperationException}. Every method but {@link #name}, {@link #capabilities}, {@link
 * #isClosed} and {@link #close} throws {@link MailboxClosedException} once closing has begun, and
 * {@link MailboxConnectionException}, {@link AccessDeniedException} or {@link
 * MailboxNotFoundException} when the backend is away or refuses.
 *
 * @param <T> the bodies of the messages
 * @param <R> the bodies of the replies to them
 */
public interface Mailbox<T, R> extends AutoCloseable {
  /** The mailbox's name: 1 to 255 of {@code A-Z a-z 0-9 . _ -}. */
  String name();

  /** Where the backend is, for logs: an address without credentials. Empty if that is not known. */
  default String location() {
    return "";
  }

  /** The abilities of the backend, and the bounds of the arguments here. */
  Capabilities capabilities();

  /**
   * Sends one message. Its order among others is that of {@link Capabilities#ordering()}: over HTTP
   * a topic has four shards by default, and only messages of one group share a shard. See {@link
   * #ordered}.
   *
   * @return the message's id
   * @throws MailboxFullException if the capacity is reached; nothing was sent
   * @throws SerializationException if the body cannot be encoded or is too large
   * @throws MailboxConnectionException if the answer is missing; with {@code UNKNOWN}, the message
   *     may have been sent
   */
  String send(T body);

  /**
   * Sends one message whose replies go to {@code replyTo}. Only the name of {@code replyTo}
   * travels; the receiver's {@link MailboxResolver} finds the mailbox.
   *
   * @return the message's id
   * @throws MailboxException as {@link #send(Object)} does
   */
  String send(T body, Mailbox<? super R, ?> replyTo);

  /**
   * Sends one message with options.
   *
   * @return the message's id, and whether its key was already taken by the same message
   * @throws KeyConflictException if another body was sent under the same key
   * @throws MailboxException as {@link #send(Object)} does
   */
  Sent send(Outgoing<? extends T, ? super R> message);

  /**
   * This mailbox, with all messages sent through it in one group, if they have none of their own.
   * They are delivered in the order in which their sends returned. Without waiting for each other,
   * only the messages of one {@link #sendAll} keep theirs.
   *
   * @param group 1 to 255 characters, such as the id of the customer whose orders these are
   * @return a view: closing it closes this mailbox
   * @throws UnsupportedOperationException if the backend has no groups
   */
  default Mailbox<T, R> ordered(String group) {
    if (!capabilities().groups()) {
      throw new UnsupportedOperationException("mailbox " + name() + " has no groups");
    }
    return new OrderedMailbox<>(this, Outgoing.group(group));
  }

  /**
   * Sends several messages in one request where the backend has one. Each succeeds or fails alone.
   *
   * @param messages at most {@link Capabilities#maxBatch()}
   * @return one result for each message, in the same order
   * @throws MailboxClosedException if closing has begun; every other failure is in the results
   */
  List<SendResult> sendAll(List<? extends Outgoing<? extends T, ? super R>> messages);

  /**
   * Sends one message without waiting for the answer. A backend may gather messages into batches.
   * The stage always completes, at the latest when the mailbox has closed.
   *
   * @return completes as {@link #send(Outgoing)} returns, or exceptionally with what it throws
   */
  CompletionStage<Sent> sendAsync(Outgoing<? extends T, ? super R> message);

  /**
   * Receives up to {@code maxMessages} messages, each under a lease of its own.
   *
   * <p>Returns as soon as there is a message, and an empty list when {@code wait} is over, when the
   * mailbox closes, or when the thread is interrupted. The interrupt flag then stays set. A body
   * that cannot be decoded fails {@link Message#body()}, never this call.
   *
   * @param maxMessages from 1 to {@link Capabilities#maxBatch()}
   * @param visibility how long the leases last, between {@link Capabilities#minVisibility()} and
   *     {@link Capabilities#maxVisibility()}
   * @param wait how long to wait for a message, from zero to {@link Capabilities#maxWait()}
   * @throws MailboxFullException if others hold as many messages as may be held, or the backend
   *     bounds the rate of receives; a later call may succeed
   */
  List<Message<T, R>> receive(int maxMessages, Duration visibility, Duration wait);

  /**
   * Receives as {@link #receive(int, Duration, Duration)} does, with leases of 30 s and a wait of
   * 20 s, or as near to these as the backend allows.
   *
   * @param maxMessages from 1 to {@link Capabilities#maxBatch()}
   */
  default List<Message<T, R>> receive(int maxMessages) {
    return receive(maxMessages, capabilities().usualVisibility(), capabilities().usualWait());
  }

  /** Receives one message as {@link #receive(int)} does; empty if none came. */
  default Optional<Message<T, R>> receive() {
    return receive(1).stream().findFirst();
  }

  /**
   * How many leases one call of {@link #extendAll} extends. A mailbox that wraps another may leave
   * it as it is; its leases are then extended one in a call.
   */
  default int maxExtensions() {
    return 1;
  }

  /**
   * Extends the leases of messages of this mailbox, each as {@link Message#extendVisibility} does
   * and each for itself, in one call where the backend has one. For heartbeats: the call may take
   * longer than {@code extension} says, and then has no use.
   *
   * @param messages at most {@link #maxExtensions()}
   * @return why each lease was not extended, in their order; empty if it was
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
   * Deletes every message that nobody holds. Whether held messages are deleted depends on the
   * backend. With {@link Capabilities.KeyScope#WINDOW} their keys stay taken until their windows
   * end: sending one again is a duplicate of the deleted message, and puts none into the mailbox.
   *
   * @return how many were deleted, or empty if the backend does not say
   */
  OptionalLong purge();

  /**
   * About how many messages there are: ready, delayed and held. {@link Capabilities#count()} says
   * how exact the number is.
   */
  long approximateCount();

  /** Whether closing has begun. */
  boolean isClosed();

  /**
   * Closes the mailbox. Refuses new calls, ends blocked {@link #receive} calls, completes pending
   * {@link #sendAsync} calls within 10 s or fails them, then releases all resources. Messages that
   * are still held return to the queue when their leases run out. A second call does nothing.
   */
  @Override
  void close();
}
