package org.svcmailbox.web.capability;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.json.JsonRequest;

/** The JSON body of a revocation; exactly one field is set. */
record RevokeRequest(@Nullable String capability, @Nullable String nonce, @Nullable String keyId)
    implements JsonRequest {
  private static final Pattern NONCE = Pattern.compile("[0-9a-f]{32}");

  /**
   * Converts the body to core types.
   *
   * @throws SchemaException unless exactly one field is set, or for a malformed nonce
   */
  Revocation checked() {
    List<Revocation> given = new ArrayList<>();
    if (capability != null) {
      given.add(new Revocation.OfCapability(capability));
    }
    if (nonce != null) {
      given.add(new Revocation.OfNonce(hex(nonce)));
    }
    if (keyId != null) {
      given.add(new Revocation.OfKey(keyId));
    }
    if (given.size() != 1) {
      throw new SchemaException("body", "must have one of capability, nonce and key_id");
    }
    return given.get(0);
  }

  private static String hex(String text) {
    if (!NONCE.matcher(text).matches()) {
      throw new SchemaException("nonce", "must be 32 hex digits in lower case");
    }
    return text;
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "RevokeRequest";
  }
}
