/**
 * Dead letters, as an operator looks for them. Invariants: what belongs together is told from the
 * reason and the error alone, and the same on every node and in every version.
 */
@NullMarked
package org.svcmailbox.core.deadletter;

import org.jspecify.annotations.NullMarked;
