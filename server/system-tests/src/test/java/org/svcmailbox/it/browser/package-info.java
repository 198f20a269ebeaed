/**
 * Browser tests of the console against the whole server. Invariant: no {@code Tab} runs a foreign
 * script, violates the content security policy or contacts another origin.
 */
@NullMarked
package org.svcmailbox.it.browser;

import org.jspecify.annotations.NullMarked;
