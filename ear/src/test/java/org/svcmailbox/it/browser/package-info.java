/**
 * The console as people use it: in a real browser, against the whole server. A {@code Tab} is one
 * person's browser; whatever it was used for, it must not have run anybody else's script, broken
 * the page's policy or talked to another server.
 */
@NullMarked
package org.svcmailbox.it.browser;

import org.jspecify.annotations.NullMarked;
