/**
 * Signing in with OpenID Connect: the authorization code flow with PKCE. Invariants: what a browser
 * brings back is believed only if this browser was sent for it, and an ID token only with the
 * provider's signature, for us, for this very sign-in; nothing is kept here between the two but
 * what the browser carries.
 */
@NullMarked
package org.svcmailbox.console.oidc;

import org.jspecify.annotations.NullMarked;
