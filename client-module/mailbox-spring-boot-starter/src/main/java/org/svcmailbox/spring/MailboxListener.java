package org.svcmailbox.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles the messages of a mailbox, while the application context
 * runs.
 *
 * <p>The method takes one parameter: {@code T}, {@code Message<T, R>} or {@code
 * MainLoopRequest<T>}. It returns the reply, which is sent if the message asks for one; {@code
 * null} and {@code void} are none. Then the message is acknowledged. After an exception, the
 * message is nacked and comes back after a while. Proxies of the bean take part, such as those of
 * transactions.
 *
 * <p>A mailbox has one listener. Concurrency, visibility and the rest are properties, such as
 * {@code svcmailbox.mailboxes.orders.concurrency}.
 *
 * <pre>{@code
 * @MailboxListener("orders")
 * public Receipt ship(Order order) { ... }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MailboxListener {
  /** The mailbox's name. */
  String value();
}
