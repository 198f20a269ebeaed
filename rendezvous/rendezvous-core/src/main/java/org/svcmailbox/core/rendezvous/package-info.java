/**
 * In-memory mailboxes for opaque bytes, as servlets and operators use them, and the service's
 * ports. Invariant: only {@code admit} and operators' calls block.
 */
@NullMarked
package org.svcmailbox.core.rendezvous;

import org.jspecify.annotations.NullMarked;
