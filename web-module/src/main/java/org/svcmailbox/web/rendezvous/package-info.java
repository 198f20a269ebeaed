/**
 * Operators' calls for the rendezvous door, on the main port. Invariant: only the answer that makes
 * a token has it.
 */
@NullMarked
package org.svcmailbox.web.rendezvous;

import org.jspecify.annotations.NullMarked;
