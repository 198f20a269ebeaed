/**
 * The limits of a capability: its caveats, and the accesses that they decide on. Invariants: a
 * capability is read only from a macaroon that a root key minted; a caveat never widens.
 */
@NullMarked
package org.svcmailbox.core.capability.caveat;

import org.jspecify.annotations.NullMarked;
