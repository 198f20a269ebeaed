/**
 * Runs redrive jobs in turns, applies the policies of topics, and resends single letters with
 * changes. Invariant: a turn saves its pending action before it commits it.
 */
@NullMarked
package org.svcmailbox.core.redrive.run;

import org.jspecify.annotations.NullMarked;
