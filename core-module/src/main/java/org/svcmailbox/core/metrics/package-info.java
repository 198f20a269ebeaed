/**
 * Metrics of the service. Invariants: a metric only reads what its owner counts; a family has one
 * kind and one set of labels; label values are bounded and never chosen by clients.
 */
@NullMarked
package org.svcmailbox.core.metrics;

import org.jspecify.annotations.NullMarked;
