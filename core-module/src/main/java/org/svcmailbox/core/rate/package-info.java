/**
 * Token buckets. Invariants: their number is bounded; a bucket that is forgotten was full, unless
 * the bound was reached.
 */
@NullMarked
package org.svcmailbox.core.rate;

import org.jspecify.annotations.NullMarked;
