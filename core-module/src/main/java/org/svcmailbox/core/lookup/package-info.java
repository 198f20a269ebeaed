/**
 * The search for one message by its id. Pure: where to look, in which order, and what may be
 * inferred from it. Invariant: a message is never called gone while it may be on its way.
 */
@NullMarked
package org.svcmailbox.core.lookup;

import org.jspecify.annotations.NullMarked;
