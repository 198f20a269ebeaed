package org.svcmailbox.web.json;

/** The answer to what is done and has nothing more to say. */
public record OkResponse(boolean ok) {
  /** The one there is. */
  public static final OkResponse OK = new OkResponse(true);
}
