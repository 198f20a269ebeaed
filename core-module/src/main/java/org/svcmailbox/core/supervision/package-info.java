/**
 * Threads that run as long as the service. Invariants: a body runs on one thread at a time. A dead
 * thread is counted, shown in health and restarted after a jittered pause, unless it was told to
 * end.
 */
@NullMarked
package org.svcmailbox.core.supervision;

import org.jspecify.annotations.NullMarked;
