/**
 * How many threads serve requests. Few suffice normally, because switching threads costs more than
 * the requests; more run while some wait for a slow client or disk. Invariants: every task runs
 * once; none waits longer than a moment behind stuck tasks, unless the limit of threads is reached.
 */
@NullMarked
package org.svcmailbox.undertow.threads;

import org.jspecify.annotations.NullMarked;
