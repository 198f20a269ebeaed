/** The topics of an event: those of the consumers that subscribe to its subject. */
@NullMarked
package org.svcmailbox.outbox.route;

import org.jspecify.annotations.NullMarked;
