package org.svcmailbox.web.rendezvous;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.svcmailbox.core.rendezvous.RendezvousAdmin.Issued;

/**
 * A new token.
 *
 * @param token the secret, shown only once
 */
record IssuedTokenResponse(String token, @JsonUnwrapped TokenResponse stored) {
  static IssuedTokenResponse of(Issued issued) {
    return new IssuedTokenResponse(issued.token(), TokenResponse.of(issued.stored()));
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "IssuedTokenResponse[" + stored.id() + "]";
  }
}
