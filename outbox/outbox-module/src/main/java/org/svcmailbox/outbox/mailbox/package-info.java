/** The ports on the mailbox service: events as messages of its topics. */
@NullMarked
package org.svcmailbox.outbox.mailbox;

import org.jspecify.annotations.NullMarked;
