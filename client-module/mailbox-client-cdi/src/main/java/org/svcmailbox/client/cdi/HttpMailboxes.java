package org.svcmailbox.client.cdi;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxFactory;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.capability.Operation;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;

/** Opens mailboxes over HTTP, which share their connections. Thread-safe. */
final class HttpMailboxes implements AutoCloseable {
  /** For each listener: a receive that waits, its share of everything else, and some to spare. */
  private static final int CONNECTIONS_EACH = 4;

  private final Map<String, ServiceSettings> services;
  private final List<MailboxResolver> resolvers = new ArrayList<>();
  private HttpConnections connections;

  /**
   * An opener of the named mailboxes.
   *
   * @param listeners how many of them are received from all the time
   */
  HttpMailboxes(Map<String, ServiceSettings> services, int listeners) {
    this.services = Map.copyOf(services);
    this.connections =
        HttpConnections.builder()
            .max(Math.max(HttpConnections.DEFAULT_MAX, CONNECTIONS_EACH * listeners))
            .build();
  }

  /** Uses the application's own connections from now on. */
  synchronized void use(HttpConnections own) {
    connections = own;
  }

  /** The reason why a mailbox cannot be opened, if there is one; makes no call. */
  Optional<String> problem(String name) {
    try {
      builder(name, Codecs.bytes(), Codecs.bytes()).build().close();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Opens a mailbox, whose replies go where its settings allow. */
  Mailbox<Object, Object> open(MailboxPoint point) {
    MailboxResolver resolver = resolver(point.name());
    synchronized (this) {
      resolvers.add(resolver);
    }
    return builder(
            point.name(), MailboxPoint.codec(point.body()), MailboxPoint.codec(point.reply()))
        .resolver(resolver)
        .build();
  }

  /** Closes the mailboxes that replies went to. */
  @Override
  public void close() {
    List<MailboxResolver> opened;
    synchronized (this) {
      opened = List.copyOf(resolvers);
    }
    opened.forEach(MailboxResolver::close);
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
    return requireNonNull(services.get(mailbox), mailbox);
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
    return service.allowPlainHttp() ? builder.allowPlainHttp() : builder;
  }
}
