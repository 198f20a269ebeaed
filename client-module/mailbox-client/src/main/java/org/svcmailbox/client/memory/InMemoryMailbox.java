package org.svcmailbox.client.memory;

import static java.util.Objects.requireNonNull;

import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.CountAccuracy;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.BackendFeatures.Durability;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A mailbox in this process's memory, for tests and for work that need not outlive the process.
 *
 * <p>Delivers in the order of sending; a message that comes back takes its old place. A lease that
 * ran out is lost at once, even if no consumer has received the message since. {@link #purge}
 * deletes held messages too. Closing deletes everything.
 *
 * <p>{@link Builder#like} gives it the bounds of another backend, so that a test fails where
 * production would.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class InMemoryMailbox<T, R> extends AbstractMailbox<T, R> {
  /** The default capacity in messages. */
  public static final int DEFAULT_CAPACITY = 10_000;

  private final InMemoryDriver driver;

  private InMemoryMailbox(Builder<T, R> from, InMemoryDriver driver) {
    super(from.name, driver, from.codec, from.replyCodec, from.resolver);
    this.driver = driver;
  }

  /** Builds a mailbox, whose bodies and replies stay objects. */
  public static <T, R> Builder<T, R> builder(String name) {
    return builder(name, Codecs.reference(), Codecs.reference());
  }

  /**
   * Builds a mailbox.
   *
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   */
  public static <T, R> Builder<T, R> builder(String name, Codec<T> codec, Codec<R> replyCodec) {
    return new Builder<>(name, codec, replyCodec);
  }

  /** As {@link #builder(String, Codec, Codec)}, for messages without replies. */
  public static <T> Builder<T, Void> builder(String name, Codec<T> codec) {
    return builder(name, codec, Codecs.none());
  }

  /** How many messages are under a lease. */
  public int heldCount() {
    return driver.heldCount();
  }

  /**
   * Builds a mailbox.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> {
    private final String name;
    private final Codec<T> codec;
    private final Codec<R> replyCodec;
    private MailboxResolver resolver = MailboxResolver.of();
    private MailboxClock clock = MailboxClock.system();
    private BackendFeatures features = BackendFeatures.IN_MEMORY;
    private int capacity = DEFAULT_CAPACITY;

    private Builder(String name, Codec<T> codec, Codec<R> replyCodec) {
      this.name = requireNonNull(name, "name");
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    /** Where replies to received messages go; by default nowhere. */
    public Builder<T, R> resolver(MailboxResolver value) {
      resolver = requireNonNull(value, "resolver");
      return this;
    }

    /** The time; by default the machine's. */
    public Builder<T, R> clock(MailboxClock value) {
      clock = requireNonNull(value, "clock");
      return this;
    }

    /** How many messages fit, at least 1; by default {@value #DEFAULT_CAPACITY}. */
    public Builder<T, R> capacity(int messages) {
      if (messages < 1) {
        throw new IllegalArgumentException("capacity must be at least 1, not " + messages);
      }
      capacity = messages;
      return this;
    }

    /**
     * Takes over the bounds of another backend: order in groups, keys, waits, leases, delays,
     * batches, attributes and sizes. Count, durability, capacity and dead letters stay those of
     * memory, and best-effort order stays FIFO.
     */
    public Builder<T, R> like(BackendFeatures other) {
      features =
          other.with(
              changed ->
                  changed
                      .ordering(
                          other.ordering() == Ordering.STRICT ? Ordering.STRICT : Ordering.FIFO)
                      .count(CountAccuracy.EXACT)
                      .durability(Durability.NONE)
                      .deadLetters(DeadLetters.LOOP)
                      .bounded(true)
                      .references(true));
      return this;
    }

    /**
     * Opens the mailbox, empty.
     *
     * @throws IllegalArgumentException if the name is malformed
     */
    public InMemoryMailbox<T, R> build() {
      return new InMemoryMailbox<>(this, new InMemoryDriver(name, features, capacity, clock));
    }
  }
}
