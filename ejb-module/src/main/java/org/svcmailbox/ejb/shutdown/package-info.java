/**
 * Shutdown. Invariant: all intake stops before anything drains, and everything drains before the
 * server stops.
 */
@NullMarked
package org.svcmailbox.ejb.shutdown;

import org.jspecify.annotations.NullMarked;
