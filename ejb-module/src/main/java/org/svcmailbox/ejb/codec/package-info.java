/**
 * The layout of messages, dead letters and log entries in Artemis. Invariant: an unreadable message
 * raises {@code UnreadableMessageException}, so that its reader can put it aside.
 */
@NullMarked
package org.svcmailbox.ejb.codec;

import org.jspecify.annotations.NullMarked;
