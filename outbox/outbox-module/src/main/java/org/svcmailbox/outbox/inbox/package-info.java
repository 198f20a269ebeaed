/**
 * Handles received events, each at least once, and remembers which are done.
 *
 * <p>{@link InboxConsumer} fetches messages and has {@link InboxProcessor} take each through the
 * inbox: remember it, call the handler, remember the result, settle the message. {@link
 * InboxStore}, {@link EventConsumer}, {@link EventHandler} and {@link MessageGuard} are the ports.
 */
@NullMarked
package org.svcmailbox.outbox.inbox;

import org.jspecify.annotations.NullMarked;
