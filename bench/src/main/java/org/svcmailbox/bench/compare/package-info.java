/**
 * The scenario {@code compare}.
 *
 * <p>All contestants run, one at a time is loaded. Each load has a queue of its own and starts when
 * the contestant is quiet.
 */
@NullMarked
package org.svcmailbox.bench.compare;

import org.jspecify.annotations.NullMarked;
