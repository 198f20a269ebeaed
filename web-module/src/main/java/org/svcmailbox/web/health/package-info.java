/**
 * Liveness and readiness as MicroProfile Health checks, at {@code /healthz} and {@code /readyz}.
 * Invariant: liveness does not depend on broker or database.
 */
@NullMarked
package org.svcmailbox.web.health;

import org.jspecify.annotations.NullMarked;
