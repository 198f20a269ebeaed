/**
 * The console: static pages, sign-in, and the exchange of a session for a capability. Invariant:
 * the pages do everything else through the public API, as any client does.
 */
@NullMarked
package org.svcmailbox.console;

import org.jspecify.annotations.NullMarked;
