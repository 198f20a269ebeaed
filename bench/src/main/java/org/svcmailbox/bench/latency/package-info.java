/**
 * The scenarios that time single SENDs under a condition: {@code latency}, {@code tail}, {@code
 * expiry}, {@code neighbour}.
 */
@NullMarked
package org.svcmailbox.bench.latency;

import org.jspecify.annotations.NullMarked;
