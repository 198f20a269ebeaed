/**
 * Refusals as clients and the log see them, whatever the protocol. Invariants: each failure is
 * logged and counted once; no line has a secret.
 */
@NullMarked
package org.svcmailbox.core.refusal;

import org.jspecify.annotations.NullMarked;
