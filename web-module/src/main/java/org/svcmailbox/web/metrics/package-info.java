/**
 * {@code GET /metrics}, and what the doors themselves have to tell there: the refusals that passed
 * the funnel, and what the listener counts. Invariant: nothing that a client sent is in it.
 */
@NullMarked
package org.svcmailbox.web.metrics;

import org.jspecify.annotations.NullMarked;
