/**
 * Sign-in with a form against the server's users. Invariants: the server verifies passwords and
 * nothing here stores them; attempts are counted before they are made.
 */
@NullMarked
package org.svcmailbox.console.signin;

import org.jspecify.annotations.NullMarked;
