/**
 * An accepted message, its history, and the reason of its death. Invariants: everything here is
 * immutable; a history and each of its notes are bounded.
 */
@NullMarked
package org.svcmailbox.core.message;

import org.jspecify.annotations.NullMarked;
