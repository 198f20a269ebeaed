/**
 * Threads that run as long as the service. Invariants: a body runs on one thread at a time; a dead
 * thread is counted, shown in health and restarted after a jittered pause; a thread that was told
 * to end is not.
 */
@NullMarked
package org.svcmailbox.core.supervision;

import org.jspecify.annotations.NullMarked;
