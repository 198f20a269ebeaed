/**
 * Capabilities: macaroons that clients present with every call and can narrow themselves.
 * Invariants: the chain is verified before any caveat is read; a caveat never widens; only {@code
 * token()} reveals a signature and nothing reveals a root key.
 */
@NullMarked
package org.svcmailbox.core.capability;

import org.jspecify.annotations.NullMarked;
