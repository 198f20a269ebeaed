/**
 * The rendezvous service of one node: puts mailboxes and access together, and has its health and
 * metrics.
 */
@NullMarked
package org.svcmailbox.core.rendezvous.door;

import org.jspecify.annotations.NullMarked;
