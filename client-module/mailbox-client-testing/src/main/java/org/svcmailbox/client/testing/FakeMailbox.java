package org.svcmailbox.client.testing;

import java.util.function.Supplier;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A mailbox in memory that misbehaves on demand: calls fail, answers are lost, leases end, and
 * acknowledged messages are delivered again.
 *
 * <pre>{@code
 * FakeMailbox<Order, Receipt> orders = new FakeMailbox<>("orders");
 * orders.loseNextAnswer(Operation.SEND);   // the message is there, the sender gets UNKNOWN
 * }</pre>
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class FakeMailbox<T, R> extends AbstractMailbox<T, R> {
  /** A call that can fail. Each element of {@code sendAll} is a send. */
  public enum Operation {
    SEND,
    RECEIVE,
    ACKNOWLEDGE,
    NACK,
    EXTEND,
    PURGE,
    COUNT
  }

  private final FaultyDriver driver;

  /** A mailbox that passes bodies as objects, sends no replies, and uses the machine's clock. */
  public FakeMailbox(String name) {
    this(name, Codecs.reference(), Codecs.reference(), MailboxResolver.of(), MailboxClock.system());
  }

  /**
   * A mailbox.
   *
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @param resolver finds the mailboxes for replies
   * @param clock the clock for leases and waits
   */
  public FakeMailbox(
      String name,
      Codec<T> codec,
      Codec<R> replyCodec,
      MailboxResolver resolver,
      MailboxClock clock) {
    this(name, driver(name, clock), codec, replyCodec, resolver);
  }

  private FakeMailbox(
      String name,
      FaultyDriver driver,
      Codec<T> codec,
      Codec<R> replyCodec,
      MailboxResolver resolver) {
    super(name, driver, codec, replyCodec, resolver);
    this.driver = driver;
  }

  private static FaultyDriver driver(String name, MailboxClock clock) {
    return new FaultyDriver(
        new InMemoryDriver(
            name, BackendFeatures.IN_MEMORY, InMemoryMailbox.DEFAULT_CAPACITY, clock));
  }

  /**
   * Makes the next call of this kind throw without any effect. Invoke it again to fail further
   * calls.
   */
  public void failNext(Operation operation, Supplier<? extends RuntimeException> cause) {
    driver.failNext(operation, cause);
  }

  /** Makes every call of this kind throw without any effect, until {@link #heal}. */
  public void failAlways(Operation operation, Supplier<? extends RuntimeException> cause) {
    driver.failAlways(operation, cause);
  }

  /**
   * Makes the next call of this kind take effect and then throw a {@code
   * MailboxConnectionException} with {@code UNKNOWN}.
   */
  public void loseNextAnswer(Operation operation) {
    driver.loseNextAnswer(operation);
  }

  /** Cancels all ordered failures. */
  public void heal() {
    driver.heal();
  }

  /** Ends all leases: every held message is ready again and its receipt has expired. */
  public void expireReceipts() {
    driver.queue().expireLeases();
  }

  /**
   * Delivers messages again that were acknowledged since the last such call, at most the latest
   * 1,000, as an at-least-once backend may.
   */
  public void redeliver() {
    driver.redeliver();
  }

  /** The number of finished calls of an operation, including failed ones. */
  public int calls(Operation operation) {
    return driver.calls(operation);
  }

  /** How many messages are under a lease. */
  public int heldCount() {
    return driver.queue().heldCount();
  }
}
