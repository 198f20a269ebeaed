package org.svcmailbox.it.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives a test class the {@link SharedServer} of all classes with the same settings. */
@ExtendWith(SharedServer.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ServerSettings {
  /** Environment variables, each as {@code NAME=value}. */
  String[] value();
}
