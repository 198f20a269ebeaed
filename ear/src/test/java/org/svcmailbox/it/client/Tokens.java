package org.svcmailbox.it.client;

import org.svcmailbox.core.capability.macaroon.Macaroon;

/** Changes that holders make to their capabilities by themselves. */
public final class Tokens {
  private Tokens() {}

  /** A capability with one more caveat; no server is asked. */
  public static String narrowed(String token, String caveat) {
    return Macaroon.parse(token).narrowedBy(caveat).token();
  }
}
