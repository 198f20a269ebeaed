package org.svcmailbox.spring;

import java.lang.reflect.Type;
import org.springframework.core.ParameterizedTypeReference;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.listener.HttpMailboxes;
import org.svcmailbox.client.listener.MailboxPoint;

/**
 * Opens mailboxes of the service according to the properties. They share connections. Bodies travel
 * as JSON, {@code byte[]} unchanged.
 *
 * <pre>{@code
 * @Bean
 * Mailbox<Order, Receipt> orders(Mailboxes mailboxes) {
 *   return mailboxes.open("orders", Order.class, Receipt.class);
 * }
 * }</pre>
 */
public final class Mailboxes implements AutoCloseable {
  private final HttpMailboxes http;

  Mailboxes(MailboxProperties properties, HttpConnections connections) {
    http = new HttpMailboxes(properties::service, connections);
  }

  /**
   * Opens a mailbox. Its owner closes it; a bean is closed with the application context.
   *
   * @param body the type of the bodies
   * @param reply the type of the replies
   * @throws IllegalStateException if the properties lack its address, or are invalid
   */
  public <T, R> Mailbox<T, R> open(String name, Class<T> body, Class<R> reply) {
    return opened(name, body, reply);
  }

  /** Opens a mailbox of generic types, as {@link #open(String, Class, Class)} does. */
  public <T, R> Mailbox<T, R> open(
      String name, ParameterizedTypeReference<T> body, ParameterizedTypeReference<R> reply) {
    return opened(name, body.getType(), reply.getType());
  }

  @SuppressWarnings("unchecked") // The caller chose both types.
  <T, R> Mailbox<T, R> opened(String name, Type body, Type reply) {
    try {
      return (Mailbox<T, R>) http.open(new MailboxPoint(name, body, reply));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("mailbox " + name + ": " + e.getMessage(), e);
    }
  }

  /** Closes the mailboxes used for replies. */
  @Override
  public void close() {
    http.close();
  }
}
