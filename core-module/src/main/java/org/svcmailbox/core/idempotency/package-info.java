/** Makes sure that a key and payload are delivered effectively once within the replay window. */
@NullMarked
package org.svcmailbox.core.idempotency;

import org.jspecify.annotations.NullMarked;
