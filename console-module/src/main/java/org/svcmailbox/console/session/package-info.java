/**
 * Who is signed in, and the exchange of that for a capability. Invariants: there is a session only
 * of somebody who has signed in, and its cookie was never seen before that; the cookie is of use
 * for what is in this package and nothing else.
 */
@NullMarked
package org.svcmailbox.console.session;

import org.jspecify.annotations.NullMarked;
