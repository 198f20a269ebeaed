/**
 * How many threads serve requests: few while all goes well, because threads that take turns cost
 * more than the requests; more while some wait for a slow client or a slow disk. Invariants: every
 * task runs once; none waits for longer than a moment behind tasks that are stuck, unless the bound
 * on threads is reached.
 */
@NullMarked
package org.svcmailbox.undertow.threads;

import org.jspecify.annotations.NullMarked;
