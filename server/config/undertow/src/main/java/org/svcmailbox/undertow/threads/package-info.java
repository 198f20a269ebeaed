/**
 * How many threads serve requests. Few suffice normally, because switching threads costs more than
 * the requests; more run while some wait for a slow client or disk. Invariants: every task runs
 * once; none waits for longer than a moment behind tasks that are stuck, unless the bound on
 * threads is reached.
 */
@NullMarked
package org.svcmailbox.undertow.threads;

import org.jspecify.annotations.NullMarked;
