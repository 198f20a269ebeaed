/** The ports in memory, for tests of applications: what a database does, without durability. */
@NullMarked
package org.svcmailbox.outbox.memory;

import org.jspecify.annotations.NullMarked;
