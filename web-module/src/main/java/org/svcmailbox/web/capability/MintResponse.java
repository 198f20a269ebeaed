package org.svcmailbox.web.capability;

import org.svcmailbox.core.capability.CapabilityService.Minted;

record MintResponse(String capability, String nonce, String keyId, String expires) {
  static MintResponse of(Minted minted) {
    return new MintResponse(
        minted.token(), minted.id().nonce(), minted.id().keyId(), minted.expires().toString());
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "MintResponse[" + keyId + ":" + nonce + "]";
  }
}
