package org.svcmailbox.ejb.mailbox;

/**
 * The maintenance of the audit.
 *
 * @param denials writes the counted denials to it
 * @param purge removes rows past their retention
 */
record AuditRecords(Runnable denials, RecordPurge purge) {
  void step() {
    denials.run();
    long unused = purge.step();
  }
}
