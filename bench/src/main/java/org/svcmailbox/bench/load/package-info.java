/**
 * Load generators and their timing.
 *
 * <p>A request that is refused or not answered fails the load, unless a method says that it counts
 * refusals. At a fixed rate, times count from when a message is due.
 */
@NullMarked
package org.svcmailbox.bench.load;

import org.jspecify.annotations.NullMarked;
