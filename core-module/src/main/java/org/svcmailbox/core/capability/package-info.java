/**
 * Authenticates callers by the capabilities that they present with every call, and mints, lists and
 * revokes capabilities. Invariants: the chain is verified before any caveat is read; only this
 * package makes a {@code Caller}.
 */
@NullMarked
package org.svcmailbox.core.capability;

import org.jspecify.annotations.NullMarked;
