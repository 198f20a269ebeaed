/**
 * Adds to the log the request that a thread works for. Invariant: a thread that has finished its
 * part of a request no longer mentions it.
 */
@NullMarked
package org.svcmailbox.undertow.log;

import org.jspecify.annotations.NullMarked;
