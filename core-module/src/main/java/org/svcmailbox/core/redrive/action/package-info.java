/**
 * The three ends of a dead letter: it is discarded, returns to its own queue, or becomes a new
 * message. Invariant: a letter leaves its queue in the transaction that enqueues its message.
 */
@NullMarked
package org.svcmailbox.core.redrive.action;

import org.jspecify.annotations.NullMarked;
