/**
 * Hands messages to RECV calls under leases, or lets the calls wait. Invariants: one worker answers
 * a call; a lease that reaches no client costs no attempt; a waiting call holds no thread.
 */
@NullMarked
package org.svcmailbox.core.worker.dispatch;

import org.jspecify.annotations.NullMarked;
