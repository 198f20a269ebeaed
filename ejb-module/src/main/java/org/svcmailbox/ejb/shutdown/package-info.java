/**
 * The end of the process. Invariant: intake is closed everywhere before anything is drained, and
 * everything is drained before the server begins to stop.
 */
@NullMarked
package org.svcmailbox.ejb.shutdown;

import org.jspecify.annotations.NullMarked;
