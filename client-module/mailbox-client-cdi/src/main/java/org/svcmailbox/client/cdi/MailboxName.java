package org.svcmailbox.client.cdi;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Distinguishes mailboxes by name.
 *
 * <p>At an injection point, {@code @Inject @MailboxName("orders") Mailbox<Order, Receipt>}, it
 * names the mailbox to inject, which has the types of the injection point. On a producer it says
 * that the application provides this mailbox itself.
 */
@Qualifier
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
public @interface MailboxName {
  /** The mailbox's name. */
  String value();

  /** The qualifier as an object, for looking up a mailbox. */
  final class Literal extends AnnotationLiteral<MailboxName> implements MailboxName {
    private static final long serialVersionUID = 1L;

    private final String value;

    private Literal(String value) {
      this.value = value;
    }

    /** The qualifier for this name. */
    public static Literal of(String value) {
      return new Literal(value);
    }

    @Override
    public String value() {
      return value;
    }
  }
}
