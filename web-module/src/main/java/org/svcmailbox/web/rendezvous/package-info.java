/**
 * Administration of the rendezvous door, on the main port. Invariant: only the response that
 * creates a token contains it.
 */
@NullMarked
package org.svcmailbox.web.rendezvous;

import org.jspecify.annotations.NullMarked;
