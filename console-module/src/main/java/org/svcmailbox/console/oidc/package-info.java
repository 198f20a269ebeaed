/**
 * Sign-in with OpenID Connect: the authorization code flow with PKCE. Invariants: a callback counts
 * only in the browser that started the flow. An ID token counts only if the provider signed it for
 * this client and this flow. The flow's state is in the browser, not in memory.
 */
@NullMarked
package org.svcmailbox.console.oidc;

import org.jspecify.annotations.NullMarked;
