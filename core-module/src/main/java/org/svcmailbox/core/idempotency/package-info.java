/** One effective delivery per key and payload inside the replay window. */
@NullMarked
package org.svcmailbox.core.idempotency;

import org.jspecify.annotations.NullMarked;
