package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Capabilities;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.capability.Caveat;
import org.svcmailbox.client.capability.Operation;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A topic of the mailbox service as a mailbox.
 *
 * <p>A send is repeated with the same key and the same bytes until it is answered, so a lost answer
 * makes no second message. {@link #sendAsync} gathers messages into batches; several batches are
 * out at once, so only the next send after a completed stage is sure to be behind it. Its callbacks
 * must not block: they run on the threads that make the requests. Settling is repeated alike.
 *
 * <p>Received messages are checked: a body whose digests do not match throws {@link
 * org.svcmailbox.client.IntegrityException}. {@link #purge} leaves held messages alone.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class HttpMailbox<T, R> extends AbstractMailbox<T, R> {
  private HttpMailbox(Builder<T, R> from, Capabilities capabilities) {
    super(
        from.name, new HttpDriver(from, capabilities), from.codec, from.replyCodec, from.resolver);
  }

  /**
   * A mailbox in the making.
   *
   * @param service the service, such as {@code https://mailbox.example.com}, with a path if it is
   *     behind one
   * @param tokens the capability to call it with
   * @param name the topic
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @throws IllegalArgumentException if the URI is not that of a service, or the name is malformed
   */
  public static <T, R> Builder<T, R> builder(
      URI service, TokenSource tokens, String name, Codec<T> codec, Codec<R> replyCodec) {
    return new Builder<>(service, tokens, name, codec, replyCodec);
  }

  static Duration positive(String what, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(what + " must be positive, not " + value);
    }
    return value;
  }

  /**
   * A mailbox in the making.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> {
    /** How long a send is repeated, unless told otherwise. */
    public static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);

    /** How long one call may take, unless told otherwise. */
    public static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    /** How many messages wait for their answers, unless told otherwise. */
    public static final int BUFFER_MESSAGES = 10_000;

    /** The bytes of these, as JSON. */
    public static final long BUFFER_BYTES = 16L << 20;

    final URI service;
    final String name;
    final Codec<T> codec;
    final Codec<R> replyCodec;
    private final TokenSource tokens;
    private Capabilities capabilities = Capabilities.HTTP;
    private Set<Operation> operations = Set.of();
    private boolean plainHttp;
    MailboxResolver resolver = MailboxResolver.of();
    MailboxClock clock = MailboxClock.system();
    DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
    @Nullable HttpConnections connections;
    Duration sendTimeout = SEND_TIMEOUT;
    Duration callTimeout = CALL_TIMEOUT;
    Duration linger = Duration.ZERO;
    int bufferMessages = BUFFER_MESSAGES;
    long bufferBytes = BUFFER_BYTES;

    private Builder(
        URI service, TokenSource tokens, String name, Codec<T> codec, Codec<R> replyCodec) {
      this.service = ServiceUri.base(service);
      this.tokens = requireNonNull(tokens, "tokens");
      this.name = MailboxNames.require(name);
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    /** Where replies to received messages go; by default nowhere. */
    public Builder<T, R> resolver(MailboxResolver value) {
      resolver = requireNonNull(value, "resolver");
      return this;
    }

    /** The connections to share with other mailboxes; by default some of its own. */
    public Builder<T, R> connections(HttpConnections value) {
      connections = requireNonNull(value, "connections");
      return this;
    }

    /**
     * Narrows every token to this mailbox and these operations, before it leaves this process.
     * Counting needs {@link Operation#PEEK}, purging {@link Operation#ADMIN}.
     */
    public Builder<T, R> narrowTo(Operation first, Operation... more) {
      operations = EnumSet.of(first, more);
      return this;
    }

    /**
     * How long a send is repeated, positive and below {@link Capabilities#keyWindow()}; by default
     * 30 s. Beyond that window a repeat would be another message.
     */
    public Builder<T, R> sendTimeout(Duration value) {
      sendTimeout = positive("sendTimeout", value);
      return this;
    }

    /**
     * How long one request may take, and how long calls other than sends are repeated; positive, by
     * default 10 s. A receive may take its wait besides.
     */
    public Builder<T, R> callTimeout(Duration value) {
      callTimeout = positive("callTimeout", value);
      return this;
    }

    /** How long {@link #sendAsync} waits for a batch to fill; by default not at all. */
    public Builder<T, R> linger(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("linger is negative: " + value);
      }
      linger = value;
      return this;
    }

    /**
     * How much {@link #sendAsync} holds until it is answered; more is refused.
     *
     * @param messages at least 1; by default 10,000
     * @param bytes of these as JSON, at least 2 MiB, so that one message fits; by default 16 MiB
     */
    public Builder<T, R> buffer(int messages, long bytes) {
      if (messages < 1 || bytes < 2 << 20) {
        throw new IllegalArgumentException("a buffer holds at least 1 message and 2 MiB");
      }
      bufferMessages = messages;
      bufferBytes = bytes;
      return this;
    }

    /**
     * Changes the bounds that arguments are held to, for a service or a topic whose settings are
     * not the defaults: {@code t_replay} is {@code keyWindow}, {@code max_frame} is {@code
     * maxBodyBytes}.
     */
    public Builder<T, R> limits(Consumer<Capabilities.Builder> change) {
      capabilities = capabilities.with(change);
      return this;
    }

    /** Allows {@code http} to another machine, where anybody between can read the token. */
    public Builder<T, R> allowPlainHttp() {
      plainHttp = true;
      return this;
    }

    Builder<T, R> clock(MailboxClock value) {
      clock = value;
      return this;
    }

    Builder<T, R> random(DoubleSupplier value) {
      random = value;
      return this;
    }

    TokenSource narrowedTokens() {
      return operations.isEmpty()
          ? tokens
          : new NarrowedTokens(tokens, Caveat.topic(name), Caveat.operations(operations));
    }

    /**
     * Opens the mailbox. Makes no call yet.
     *
     * @throws IllegalArgumentException if the service is reached by plain HTTP without {@link
     *     #allowPlainHttp}, or the send timeout is not below the key window
     */
    public HttpMailbox<T, R> build() {
      if (!plainHttp) {
        ServiceUri.requirePrivate(service);
      }
      if (sendTimeout.compareTo(capabilities.keyWindow()) >= 0) {
        throw new IllegalArgumentException(
            "sendTimeout must be below the key window of " + capabilities.keyWindow());
      }
      return new HttpMailbox<>(this, capabilities);
    }
  }
}
