package org.svcmailbox.it.container;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class of tests in the one server that runs for all such classes. The build tells them by their
 * tag; {@code -Dgroups=container} runs them alone.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ArquillianExtension.class)
@Tag("container")
@Tag("nightly")
@interface ContainerTest {}
