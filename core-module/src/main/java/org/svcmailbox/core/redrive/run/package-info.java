/**
 * Runs redrive jobs in turns, applies the policies of topics, and resends single letters with
 * changes. Invariant: a letter leaves its queue in the transaction that enqueues its message.
 */
@NullMarked
package org.svcmailbox.core.redrive.run;

import org.jspecify.annotations.NullMarked;
