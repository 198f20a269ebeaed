package org.svcmailbox.web.json;

/** The answer to a call that returns no data. */
public record OkResponse(boolean ok) {
  public static final OkResponse OK = new OkResponse(true);
}
