package org.svcmailbox.client.cdi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles the messages of a mailbox, from the start to the end of the
 * application.
 *
 * <p>The method takes one parameter: {@code T}, {@code Message<T, R>} or {@code
 * MainLoopRequest<T>}. It returns the reply, which is sent if the message asks for one; with {@code
 * null} or {@code void}, no reply is sent. Then the message is acknowledged. After an exception,
 * the message is nacked and delivered again later. Every call has its own request context, and a
 * {@code @Dependent} bean lives for one call.
 *
 * <p>A mailbox has one listener. Settings control concurrency, visibility and more, for example
 * {@code svcmailbox.orders.concurrency}.
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
