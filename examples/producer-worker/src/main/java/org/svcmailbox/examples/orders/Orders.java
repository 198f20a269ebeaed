package org.svcmailbox.examples.orders;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;

/** The mailbox of orders, at the service that the environment names. */
final class Orders {
  private Orders() {}

  static Mailbox<Order, Void> open() {
    return HttpMailbox.builder(
            URI.create(variable("MAILBOX_URL")),
            TokenSource.file(Path.of(variable("MAILBOX_TOKEN_FILE"))),
            "example-orders",
            Codecs.json(Order.class))
        .build();
  }

  private static String variable(String name) {
    return Optional.ofNullable(System.getenv(name))
        .orElseThrow(() -> new IllegalStateException("set " + name));
  }
}
