package org.svcmailbox.it.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.it.server.SharedServer;

/**
 * A promise of the interface, tested on the shared server while other such classes run. A class
 * that reads what all of them change, or measures time closely, is {@code @Isolated} or takes a
 * {@code ResourceLock}. One whose promise rests on SQL that differs by database has the tag {@code
 * database} as well.
 */
@Tag("contract")
@ExtendWith(SharedServer.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface ContractTest {}
