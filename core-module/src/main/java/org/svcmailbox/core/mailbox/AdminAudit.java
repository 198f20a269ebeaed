package org.svcmailbox.core.mailbox;

import java.time.InstantSource;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/** Audits administrators' changes before they begin. */
record AdminAudit(AuditLog log, InstantSource wall) {
  /** Records a change of a topic, if its caller may make it. */
  void note(Caller caller, String action, TopicName name, String note) {
    note(caller, Operation.ADMIN, action, name, note);
  }

  /** As above, for a change that needs only a part of {@link Operation#ADMIN}. */
  void note(Caller caller, Operation needed, String action, TopicName name, String note) {
    caller.require(needed, name);
    log.note(caller.audit(wall.instant(), action, name.value(), note));
  }

  /** As above, for a change that is not bound to a topic. */
  void note(Caller caller, Operation needed, String action, String subject) {
    caller.require(needed, null);
    log.note(caller.audit(wall.instant(), action, subject, ""));
  }
}
