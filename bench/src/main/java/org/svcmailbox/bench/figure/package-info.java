/**
 * Measured values and the verdicts on them.
 *
 * <p>Percentiles are values that were measured, never interpolated. A comparison with NaN always
 * fails.
 */
@NullMarked
package org.svcmailbox.bench.figure;

import org.jspecify.annotations.NullMarked;
