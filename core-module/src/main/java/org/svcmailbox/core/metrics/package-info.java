/**
 * What this service tells about itself in numbers. Invariants: who counts keeps the count, and a
 * metric only reads it; a family has one kind and one set of labels; nothing that a client chose
 * becomes a label's value, and the values are bounded.
 */
@NullMarked
package org.svcmailbox.core.metrics;

import org.jspecify.annotations.NullMarked;
