package org.svcmailbox.client.cdi;

import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.listener.MailboxPoint;

/**
 * A mailbox that a listener works on.
 *
 * @param bean the application's own, or null for one over HTTP
 */
record ListenerTarget(MailboxPoint point, @Nullable Bean<?> bean) {
  /** The mailbox, which lives as long as the context does. */
  @SuppressWarnings("unchecked") // The types were compared when the target was found.
  <T, R> Mailbox<T, R> mailbox(BeanManager beans, CreationalContext<?> context) {
    Bean<?> found =
        bean != null
            ? bean
            : beans.resolve(beans.getBeans(point.type(), MailboxName.Literal.of(point.name())));
    return (Mailbox<T, R>) beans.getReference(found, point.type(), context);
  }
}
