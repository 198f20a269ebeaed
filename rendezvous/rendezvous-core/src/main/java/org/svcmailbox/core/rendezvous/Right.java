package org.svcmailbox.core.rendezvous;

public enum Right {
  POST,
  GET
}
