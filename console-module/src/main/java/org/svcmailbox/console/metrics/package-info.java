/** Metrics of refused console requests. Invariant: labels contain nothing that a browser sent. */
@NullMarked
package org.svcmailbox.console.metrics;

import org.jspecify.annotations.NullMarked;
