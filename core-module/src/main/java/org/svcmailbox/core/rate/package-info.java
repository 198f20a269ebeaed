/** Token buckets. Invariant: their number is bounded. */
@NullMarked
package org.svcmailbox.core.rate;

import org.jspecify.annotations.NullMarked;
