/**
 * Threads that are there for as long as the service runs. Invariants: each has one body, which runs
 * on one thread at a time; a thread that dies is counted, shows in health, and is started again
 * after a pause with full jitter; one that was told to end is not.
 */
@NullMarked
package org.svcmailbox.core.supervision;

import org.jspecify.annotations.NullMarked;
