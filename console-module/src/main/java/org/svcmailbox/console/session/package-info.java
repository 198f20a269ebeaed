/**
 * Sessions and their exchange for capabilities. Invariants: a session exists only after a sign-in,
 * with a token created then; the session cookie authorizes nothing outside this package.
 */
@NullMarked
package org.svcmailbox.console.session;

import org.jspecify.annotations.NullMarked;
