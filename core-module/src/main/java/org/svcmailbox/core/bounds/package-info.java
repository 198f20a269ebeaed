/**
 * The counts that all workers share, and the limits on them. Invariants: any thread may count; a
 * refused amount is not counted; a refusal names its limit.
 */
@NullMarked
package org.svcmailbox.core.bounds;

import org.jspecify.annotations.NullMarked;
