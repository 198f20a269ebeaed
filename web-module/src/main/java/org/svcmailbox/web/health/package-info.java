/**
 * Whether the service lives and whether it is ready, as MicroProfile Health checks and at {@code
 * /healthz} and {@code /readyz}. Invariant: liveness does not depend on broker or database.
 */
@NullMarked
package org.svcmailbox.web.health;

import org.jspecify.annotations.NullMarked;
