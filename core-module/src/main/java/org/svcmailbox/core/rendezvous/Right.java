package org.svcmailbox.core.rendezvous;

/** A permission that a token grants on a mailbox. */
public enum Right {
  POST,
  GET
}
