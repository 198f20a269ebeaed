/**
 * The console: static pages, the sign-in of people, and the exchange of a signed-in session for a
 * capability. Everything else the pages do goes to the public API, as any client's calls.
 */
@NullMarked
package org.svcmailbox.console;

import org.jspecify.annotations.NullMarked;
