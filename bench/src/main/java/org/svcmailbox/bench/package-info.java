/**
 * The benchmark: {@link org.svcmailbox.bench.Bench} parses the options and runs one scenario.
 *
 * <p>Packages depend on each other in one order, which {@code BenchArchitectureTest} holds: figure,
 * machine, http, load, options, contestant, report, then the scenarios, which do not know each
 * other.
 */
@NullMarked
package org.svcmailbox.bench;

import org.jspecify.annotations.NullMarked;
