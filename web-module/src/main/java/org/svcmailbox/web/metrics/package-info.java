/**
 * {@code GET /metrics} and the metrics of this module: refusals, latencies, the listener's
 * counters. Invariant: no metric contains text from a client.
 */
@NullMarked
package org.svcmailbox.web.metrics;

import org.jspecify.annotations.NullMarked;
