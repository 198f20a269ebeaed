/**
 * State that the parts of one worker share; {@code WorkerContext} holds it. Invariants: a message
 * has at most one live lease; promises are answered after the commit. Only the worker's thread
 * touches the state; any thread may use its {@code Inbox}, which is bounded.
 */
@NullMarked
package org.svcmailbox.core.worker.state;

import org.jspecify.annotations.NullMarked;
