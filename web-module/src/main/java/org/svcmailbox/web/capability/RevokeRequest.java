package org.svcmailbox.web.capability;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of a revocation; exactly one of the first three fields is set. */
record RevokeRequest(
    @Nullable String capability,
    @Nullable String nonce,
    @Nullable String keyId,
    @Nullable Boolean releaseLeases)
    implements JsonRequest {
  /**
   * Converts the body to core types.
   *
   * @throws SchemaException unless exactly one target is set, or for a malformed nonce
   */
  Revocation checked() {
    List<Revocation> given = new ArrayList<>();
    if (capability != null) {
      given.add(new Revocation.OfCapability(capability));
    }
    if (nonce != null) {
      given.add(new Revocation.OfNonce(Nonces.checked(nonce)));
    }
    if (keyId != null) {
      given.add(new Revocation.OfKey(keyId));
    }
    if (given.size() != 1) {
      throw new SchemaException("body", "must have one of capability, nonce and key_id");
    }
    return given.get(0);
  }

  boolean releasesLeases() {
    return Boolean.TRUE.equals(releaseLeases);
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "RevokeRequest";
  }
}
