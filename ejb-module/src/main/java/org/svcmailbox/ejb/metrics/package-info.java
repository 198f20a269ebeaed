/**
 * The metrics of all parts on their way into the server's MicroProfile registry. Here and not in a
 * door, because they are brought up to date every few seconds whether or not somebody asks, by a
 * timer of this module; what the doors count they add. Invariant: nothing here knows whose registry
 * it is.
 */
@NullMarked
package org.svcmailbox.ejb.metrics;

import org.jspecify.annotations.NullMarked;
