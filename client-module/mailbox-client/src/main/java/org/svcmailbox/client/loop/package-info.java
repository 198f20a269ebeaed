/**
 * A worker loop: receives messages, runs a handler, extends leases, replies, acknowledges, retries
 * with a backoff and dead-letters. Knows the API package only, so it runs over any backend.
 *
 * <p>{@code MainLoop} builds and starts a loop. Its threads are a {@code Receiver}, a {@code
 * LeaseKeeper} and {@code LoopWorker}s; {@code LoopState} is what they share, and {@code LoopStop}
 * ends them. A {@code HandledMessage} is one message with its lease, and {@code Processor} takes it
 * from its receipt to its end.
 */
@NullMarked
package org.svcmailbox.client.loop;

import org.jspecify.annotations.NullMarked;
