package org.svcmailbox.it.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.it.server.SharedServer;

/** A test of the console in the shared browser, whose driver must stay on one thread. */
@ExtendWith({SharedServer.class, SharedBrowser.class})
@Execution(ExecutionMode.SAME_THREAD)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface BrowserTest {}
