/** One effective delivery per key and payload inside the replay window (I-2, I-13). */
@NullMarked
package org.svcmailbox.core.idempotency;

import org.jspecify.annotations.NullMarked;
