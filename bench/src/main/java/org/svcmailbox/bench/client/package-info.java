/**
 * The scenario {@code client}: the client library and its alternatives.
 *
 * <p>Both sides of a pair are measured right after each other. Missed ratios fail the run after the
 * report.
 */
@NullMarked
package org.svcmailbox.bench.client;

import org.jspecify.annotations.NullMarked;
