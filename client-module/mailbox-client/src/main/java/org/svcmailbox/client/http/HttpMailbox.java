package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Experimental;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.service.ServiceDriver;
import org.svcmailbox.client.spi.AbstractMailbox;

/**
 * A topic of the mailbox service as a mailbox.
 *
 * <p>A send is repeated with the same key and the same bytes until it is answered, so a lost answer
 * causes no second message. Calls that settle a message are repeated in the same way. {@link
 * #sendAsync} gathers messages into batches, and several batches run at once. So only a send made
 * after a stage has completed is sure to come after that stage's message. Callbacks must not block:
 * they run on the threads that make the requests.
 *
 * <p>Received messages are checked: if a digest does not match, reading the body throws {@link
 * org.svcmailbox.client.IntegrityException}. {@link #purge} does not delete held messages.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class HttpMailbox<T, R> extends AbstractMailbox<T, R> {
  private HttpMailbox(Builder<T, R> from, HttpDriver driver) {
    super(from.name(), driver, from.codec, from.replyCodec, from.resolver());
  }

  /**
   * Builds a mailbox.
   *
   * @param service the service, such as {@code https://mailbox.example.com}, with its path if it
   *     has one
   * @param tokens the capability to call it with
   * @param name the topic
   * @param codec for the bodies
   * @param replyCodec for the replies to received messages
   * @throws IllegalArgumentException if the URI is not the address of a service, or the name is
   *     malformed
   */
  public static <T, R> Builder<T, R> builder(
      URI service, TokenSource tokens, String name, Codec<T> codec, Codec<R> replyCodec) {
    return new Builder<>(service, tokens, name, codec, replyCodec);
  }

  /** As {@link #builder(URI, TokenSource, String, Codec, Codec)}, for messages without replies. */
  public static <T> Builder<T, Void> builder(
      URI service, TokenSource tokens, String name, Codec<T> codec) {
    return builder(service, tokens, name, codec, Codecs.none());
  }

  /**
   * Builds a mailbox.
   *
   * @param <T> the bodies
   * @param <R> the bodies of replies
   */
  public static final class Builder<T, R> extends ServiceBuilder<Builder<T, R>> {
    private final URI service;
    private final Codec<T> codec;
    private final Codec<R> replyCodec;
    private boolean plainHttp;
    private @Nullable HttpConnections connections;
    private boolean streams;

    private Builder(
        URI service, TokenSource tokens, String name, Codec<T> codec, Codec<R> replyCodec) {
      super(tokens, name);
      this.service = ServiceUri.base(service);
      this.codec = requireNonNull(codec, "codec");
      this.replyCodec = requireNonNull(replyCodec, "replyCodec");
    }

    @Override
    protected Builder<T, R> self() {
      return this;
    }

    /** The connections to share with other mailboxes; by default the mailbox has its own. */
    public Builder<T, R> connections(HttpConnections value) {
      connections = requireNonNull(value, "connections");
      return this;
    }

    /**
     * Receives by a stream: one connection on which the service sends messages as soon as they are
     * ready. By default each receive is a request.
     *
     * <p>The stream stays open while receives wait, and a quarter of a second longer. It delivers
     * at most as many unsettled messages as all receives together ask for. A receive is still a
     * request if it does not wait, or wants another visibility than the waiting receives. The same
     * applies while all messages asked for are held, and if the service has no streams.
     */
    @Experimental
    public Builder<T, R> streaming() {
      streams = true;
      return this;
    }

    /**
     * Allows plain {@code http} to another machine, although anyone on the network path can read
     * the token.
     */
    public Builder<T, R> allowPlainHttp() {
      plainHttp = true;
      return this;
    }

    /**
     * Opens the mailbox. Makes no call yet.
     *
     * @throws IllegalArgumentException if the service has a plain HTTP address without {@link
     *     #allowPlainHttp}, or the send timeout is not below the key window
     * @throws IllegalStateException if the connections are closed
     */
    public HttpMailbox<T, R> build() {
      if (!plainHttp) {
        ServiceUri.requirePrivate(service);
      }
      ServiceDriver.Settings settings = settings(service.toString());
      HttpConnections shared =
          connections != null ? connections : HttpConnections.builder().build();
      HttpMailbox<T, R> mailbox =
          new HttpMailbox<>(
              this,
              new HttpDriver(
                  settings, service, narrowedTokens(), shared, connections == null, streams));
      shared.attach(mailbox);
      return mailbox;
    }
  }
}
