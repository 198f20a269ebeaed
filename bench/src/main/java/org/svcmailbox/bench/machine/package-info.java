/**
 * The machine and its processes: child processes, CPU time, heap, disk, versions.
 *
 * <p>No child process outlives this one. Spans and moments use the clock of {@link
 * System#nanoTime}, which on Linux is the same in every process.
 */
@NullMarked
package org.svcmailbox.bench.machine;

import org.jspecify.annotations.NullMarked;
