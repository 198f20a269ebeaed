/**
 * Macaroons, the form of capabilities, which holders can narrow themselves. Invariants: only {@code
 * token()} reveals a signature and nothing reveals a root key.
 */
@NullMarked
package org.svcmailbox.core.capability.macaroon;

import org.jspecify.annotations.NullMarked;
