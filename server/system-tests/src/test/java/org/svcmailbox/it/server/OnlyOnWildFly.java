package org.svcmailbox.it.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A promise that Open Liberty does not keep. ADR 58 lists every test that has this annotation;
 * {@code OnlyOnWildFlyTest} compares.
 */
@DisabledIfSystemProperty(
    named = Layout.CHOICE,
    matches = "liberty",
    disabledReason = "a difference that ADR 58 lists")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface OnlyOnWildFly {
  /** How the row in the table of ADR 58 begins that has the difference. */
  String value();
}
