package org.svcmailbox.ejb.mailbox;

/**
 * The upkeep of the audit.
 *
 * @param denials writes what was counted for it
 * @param purge removes what is too old
 */
record AuditRecords(Runnable denials, RecordPurge purge) {
  void step() {
    denials.run();
    long unused = purge.step();
  }
}
