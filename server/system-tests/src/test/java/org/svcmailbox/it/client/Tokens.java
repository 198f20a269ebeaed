package org.svcmailbox.it.client;

import org.svcmailbox.capability.Macaroon;

/** Changes that holders make to their capabilities by themselves. */
public final class Tokens {
  private Tokens() {}

  /** A capability with one more caveat; no server is asked. */
  public static String narrowed(String token, String caveat) {
    return Macaroon.parse(token).narrowedBy(caveat).token();
  }

  /** A capability whose signature is another one, in its canonical form. */
  public static String forged(String token) {
    int at = token.length() - 5;
    char other = token.charAt(at) == 'A' ? 'B' : 'A';
    return token.substring(0, at) + other + token.substring(at + 1);
  }
}
