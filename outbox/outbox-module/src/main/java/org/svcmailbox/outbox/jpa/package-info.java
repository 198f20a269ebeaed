/** Records events by Jakarta Persistence, in the transaction of an entity manager. */
@NullMarked
package org.svcmailbox.outbox.jpa;

import org.jspecify.annotations.NullMarked;
