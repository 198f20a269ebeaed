package org.svcmailbox.client.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxFactory;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;

/** Opens mailboxes over HTTP that share connections. Thread-safe. */
public final class HttpMailboxes implements AutoCloseable {
  /** For each listener: one waiting receive, a share of all other calls, and a reserve. */
  private static final int CONNECTIONS_EACH = 4;

  private final Function<String, ServiceSettings> services;
  private final List<MailboxResolver> resolvers = new ArrayList<>();
  private final @Nullable HttpConnections own;
  private HttpConnections connections;

  /**
   * Creates an opener with its own connections.
   *
   * @param services the settings of each mailbox's service, by the mailbox's name
   * @param listeners the number of mailboxes with a permanent receiver
   */
  public HttpMailboxes(Function<String, ServiceSettings> services, int listeners) {
    this.services = services;
    HttpConnections made =
        HttpConnections.builder()
            .max(Math.max(HttpConnections.DEFAULT_MAX, CONNECTIONS_EACH * listeners))
            .build();
    this.own = made;
    this.connections = made;
  }

  /** Creates an opener that uses the application's connections. */
  public HttpMailboxes(Function<String, ServiceSettings> services, HttpConnections connections) {
    this.services = services;
    this.own = null;
    this.connections = connections;
  }

  /** Switches to the application's connections. */
  public synchronized void use(HttpConnections applications) {
    connections = applications;
  }

  /** The reason why a mailbox cannot be opened, if there is one; makes no call. */
  public Optional<String> problem(String name) {
    try {
      builder(name, Codecs.bytes(), Codecs.bytes()).build().close();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Opens a mailbox; its replies may go to the mailboxes that its settings allow. */
  public Mailbox<Object, Object> open(MailboxPoint point) {
    MailboxResolver resolver = resolver(point.name());
    synchronized (this) {
      resolvers.add(resolver);
    }
    return builder(
            point.name(), MailboxPoint.codec(point.body()), MailboxPoint.codec(point.reply()))
        .resolver(resolver)
        .build();
  }

  /**
   * Closes the mailboxes used for replies, and the connections unless they are the application's.
   */
  @Override
  public void close() {
    List<MailboxResolver> opened;
    synchronized (this) {
      opened = List.copyOf(resolvers);
    }
    opened.forEach(MailboxResolver::close);
    if (own != null) {
      own.close();
    }
  }

  private MailboxResolver resolver(String mailbox) {
    MailboxResolver.Builder resolver = MailboxResolver.builder();
    service(mailbox)
        .replyTo()
        .ifPresent(
            names ->
                resolver.factory(
                    names,
                    new MailboxFactory() {
                      @Override
                      public <R> Mailbox<R, ?> open(String name, Codec<R> codec) {
                        return builder(service(mailbox), name, codec, Codecs.bytes())
                            .narrowTo(Operation.SEND)
                            .build();
                      }
                    }));
    return resolver.build();
  }

  private ServiceSettings service(String mailbox) {
    return services.apply(mailbox);
  }

  private <T, R> HttpMailbox.Builder<T, R> builder(
      String name, Codec<T> codec, Codec<R> replyCodec) {
    return builder(service(name), name, codec, replyCodec);
  }

  private synchronized <T, R> HttpMailbox.Builder<T, R> builder(
      ServiceSettings service, String name, Codec<T> codec, Codec<R> replyCodec) {
    HttpMailbox.Builder<T, R> builder =
        HttpMailbox.builder(
                service.url(), TokenSource.file(service.tokenFile()), name, codec, replyCodec)
            .connections(connections);
    HttpMailbox.Builder<T, R> received = service.streaming() ? builder.streaming() : builder;
    return service.allowPlainHttp() ? received.allowPlainHttp() : received;
  }
}
