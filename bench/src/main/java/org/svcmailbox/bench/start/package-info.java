/**
 * The scenarios that start servers: {@code start}, {@code warmth}.
 *
 * <p>Each turn starts every variant once.
 */
@NullMarked
package org.svcmailbox.bench.start;

import org.jspecify.annotations.NullMarked;
