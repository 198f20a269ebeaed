package org.svcmailbox.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles the messages of a mailbox while the application runs, with
 * CDI as with Spring.
 *
 * <p>The method takes one parameter: {@code T}, {@code Message<T, R>} or {@code
 * MainLoopRequest<T>}. It returns the reply, which is sent if the message asks for one; {@code
 * null} and {@code void} are none. Then the message is acknowledged. After an exception, the
 * message is nacked and comes back after a while. Interceptors and proxies of the bean take part,
 * such as those of transactions.
 *
 * <p>With CDI, every call has a request context of its own, and a bean that is {@code @Dependent}
 * lives for one call.
 *
 * <p>A mailbox has one listener. Concurrency, visibility and the rest are settings: {@code
 * svcmailbox.orders.concurrency} with CDI, {@code svcmailbox.mailboxes.orders.concurrency} with
 * Spring.
 *
 * <pre>{@code
 * @MailboxListener("orders")
 * Receipt ship(Order order) { ... }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MailboxListener {
  /** The mailbox's name. */
  String value();
}
