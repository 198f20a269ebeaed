package org.svcmailbox.web.delivery;

/** The answer to a settlement that is done. */
record OkResponse(boolean ok) {
  static final OkResponse OK = new OkResponse(true);
}
