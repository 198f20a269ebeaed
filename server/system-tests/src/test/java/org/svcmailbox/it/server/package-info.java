/**
 * The server under test as a process: started, killed, stopped and started again on its data, and
 * never outliving the tests.
 */
@NullMarked
package org.svcmailbox.it.server;

import org.jspecify.annotations.NullMarked;
