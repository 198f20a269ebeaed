/**
 * Capabilities, as the service mints and verifies them and as their holders read and narrow them:
 * the token's format, its caveats, and what they allow. Invariants: only {@code token()} reveals a
 * signature, nothing reveals a root key, and a caveat never allows more.
 */
@NullMarked
package org.svcmailbox.capability;

import org.jspecify.annotations.NullMarked;
