/**
 * In-memory mailboxes for opaque bytes, as servlets and operators call them, and the ports of the
 * service. Invariant: only {@code admit} and the calls of operators block.
 */
@NullMarked
package org.svcmailbox.core.rendezvous;

import org.jspecify.annotations.NullMarked;
