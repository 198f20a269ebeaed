/**
 * Refusals in the form that clients and the log get, for every protocol. Invariants: each failure
 * is logged and counted once; no line has a secret.
 */
@NullMarked
package org.svcmailbox.core.refusal;

import org.jspecify.annotations.NullMarked;
