/**
 * Capabilities: macaroons that a client presents with every call and can narrow by itself.
 * Invariants: the chain of signatures is checked before any caveat is read; adding a caveat never
 * allows more; nothing here shows a signature or a root key but {@code token()}.
 */
@NullMarked
package org.svcmailbox.core.capability;

import org.jspecify.annotations.NullMarked;
