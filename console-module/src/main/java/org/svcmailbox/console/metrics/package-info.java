/**
 * Counts of the console's refusals, among the metrics of the doors. Invariant: nothing that a
 * browser sent is in them.
 */
@NullMarked
package org.svcmailbox.console.metrics;

import org.jspecify.annotations.NullMarked;
