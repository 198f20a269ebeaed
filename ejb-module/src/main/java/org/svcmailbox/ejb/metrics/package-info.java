/**
 * Feeds metrics into the server's MicroProfile registry, by a timer, whether or not anyone reads
 * them. Invariant: nothing here knows whose registry it is.
 */
@NullMarked
package org.svcmailbox.ejb.metrics;

import org.jspecify.annotations.NullMarked;
