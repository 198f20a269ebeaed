/**
 * Queues that people would pick instead, from Debian's packages, each with its own Java client.
 *
 * <p>A neighbour is configured to be as durable as it can be on one machine. Its clients run on
 * threads of the benchmark, one connection each.
 */
@NullMarked
package org.svcmailbox.bench.contestant.neighbour;

import org.jspecify.annotations.NullMarked;
