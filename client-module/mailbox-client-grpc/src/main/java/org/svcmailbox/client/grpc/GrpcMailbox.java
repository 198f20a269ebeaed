package org.svcmailbox.client.grpc;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.ServiceBuilder;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.service.ServiceDriver;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A topic of the mailbox service as a mailbox, over gRPC.
 *
 * <p>Receives share one stream, which delivers as many messages as they ask for together. A receive
 * without a wait, or with another visibility than the waiting receives, is a separate call.
 * Settlements use the stream while it is open.
 *
 * <p>A send is repeated with the same key and the same bytes until it is answered, so a lost answer
 * causes no second message. Calls that settle a message are repeated in the same way. {@link
 * #sendAsync} gathers messages into batches, and several batches run at once. So only a send made
 * after a stage has completed is sure to come after that stage's message. Callbacks must not block.
 *
 * <p>gRPC has no call for {@link #approximateCount} and {@link #purge}: they throw {@link
 * UnsupportedOperationException} without {@link Builder#administration}.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class GrpcMailbox<T, R> extends AbstractMailbox<T, R> {
  private GrpcMailbox(
      String name,
      GrpcDriver driver,
      Codec<T> codec,
      Codec<R> replyCodec,
      MailboxResolver resolver) {
    super(name, driver, codec, replyCodec, resolver);
  }

  /**
   * Builds a mailbox.
   *
   * @param connections to the service; other mailboxes may share them
   * @param tokens the capability to call it with
   * @param name the topic
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @throws IllegalArgumentException if the name is malformed
   */
  public static <T, R> Builder<T, R> builder(
      GrpcConnections connections,
      TokenSource tokens,
      String name,
      Codec<T> codec,
      Codec<R> replyCodec) {
    return new Builder<>(connections, tokens, name, codec, replyCodec);
  }

  /** As above, for messages without replies. */
  public static <T> Builder<T, Void> builder(
      GrpcConnections connections, TokenSource tokens, String name, Codec<T> codec) {
    return builder(connections, tokens, name, codec, Codecs.none());
  }

  /**
   * Builds a mailbox.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> extends ServiceBuilder<Builder<T, R>> {
    /** The address for calls that gRPC lacks, over HTTP. */
    private record Administration(URI service, HttpConnections connections) {}

    private final GrpcConnections connections;
    private final Codec<T> codec;
    private final Codec<R> replyCodec;
    private @Nullable Administration administration;
    private boolean streams = true;

    private Builder(
        GrpcConnections connections,
        TokenSource tokens,
        String name,
        Codec<T> codec,
        Codec<R> replyCodec) {
      super(tokens, name);
      this.connections = requireNonNull(connections, "connections");
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    @Override
    protected Builder<T, R> self() {
      return this;
    }

    /** Makes each receive a separate call instead of using a stream. */
    public Builder<T, R> polling() {
      streams = false;
      return this;
    }

    /**
     * Counts and purges over HTTP, with the same tokens.
     *
     * @param service as for {@link HttpMailbox#builder}
     * @param shared the connections, which the mailbox does not close
     */
    public Builder<T, R> administration(URI service, HttpConnections shared) {
      administration =
          new Administration(requireNonNull(service, "service"), requireNonNull(shared, "shared"));
      return this;
    }

    @Override
    protected Builder<T, R> random(DoubleSupplier value) {
      return super.random(value);
    }

    /**
     * Opens the mailbox. Makes no call yet.
     *
     * @throws IllegalArgumentException if the send timeout is not below the key window, or the
     *     address for administration is not the address of a service
     * @throws IllegalStateException if the connections are closed
     */
    public GrpcMailbox<T, R> build() {
      ServiceDriver.Settings settings = settings(connections.service().toString());
      GrpcDriver driver =
          new GrpcDriver(
              settings,
              narrowedTokens(),
              connections,
              streams,
              administered(settings.callTimeout()));
      GrpcMailbox<T, R> mailbox = new GrpcMailbox<>(name(), driver, codec, replyCodec, resolver());
      connections.attach(mailbox);
      return mailbox;
    }

    private @Nullable Mailbox<?, ?> administered(Duration callTimeout) {
      return administration == null
          ? null
          : HttpMailbox.builder(
                  administration.service(),
                  narrowedTokens(),
                  name(),
                  Codecs.bytes(),
                  Codecs.bytes())
              .connections(administration.connections())
              .callTimeout(callTimeout)
              .build();
    }
  }
}
