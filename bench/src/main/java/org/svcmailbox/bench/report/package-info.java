/**
 * Tables, ratios, charts and documents.
 *
 * <p>Every table shows medians of rounds. A ratio of a pair is taken in each round before the
 * median.
 */
@NullMarked
package org.svcmailbox.bench.report;

import org.jspecify.annotations.NullMarked;
