/**
 * A mailbox in this process's memory, and a clock that tests move by hand. Bounded; nothing
 * survives {@link org.svcmailbox.client.memory.InMemoryMailbox#close()}.
 */
@NullMarked
package org.svcmailbox.client.memory;

import org.jspecify.annotations.NullMarked;
