/**
 * How people come to be signed in: by a form, against the server's own users. Invariants: a
 * password is compared by the server and kept nowhere here; tries are counted before they are made.
 */
@NullMarked
package org.svcmailbox.console.signin;

import org.jspecify.annotations.NullMarked;
