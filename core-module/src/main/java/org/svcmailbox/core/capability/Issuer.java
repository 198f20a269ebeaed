package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.List;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;

/**
 * The issuer of a capability for another holder.
 *
 * @param caveats that the capability inherits
 */
record Issuer(Actor actor, List<String> caveats, Audit audit) {
  static final String ACTION = "capability.mint";

  interface Audit {
    AuditEntry entry(Instant now, String nonce, String text);
  }

  static Issuer of(Caller operator) {
    return new Issuer(
        operator.actor(),
        operator.capability().caveats(),
        (now, nonce, text) -> operator.audit(now, ACTION, nonce, text));
  }
}
