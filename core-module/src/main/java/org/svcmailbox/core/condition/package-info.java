/**
 * Conditions that an operator should know of, decided from figures in memory. Invariants: no I/O
 * and no clock of its own; what it remembers is bounded by the topics.
 */
@NullMarked
package org.svcmailbox.core.condition;

import org.jspecify.annotations.NullMarked;
