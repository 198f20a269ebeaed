package org.svcmailbox.core.capability;

import java.util.Optional;
import java.util.function.Function;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.MalformedCapabilityException;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.Verification.Why;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

/** Checks form, key and chain of a token, in this order. Any thread. */
final class CapabilityVerifier {
  private final Function<String, Optional<RootKey>> keys;

  CapabilityVerifier(Function<String, Optional<RootKey>> keys) {
    this.keys = keys;
  }

  Verification verify(String token) {
    Macaroon macaroon;
    CapabilityId id;
    try {
      macaroon = Macaroon.parse(token);
      id = CapabilityId.ofBytes(macaroon.identifier());
    } catch (MalformedCapabilityException e) {
      return new Refused(Why.MALFORMED);
    }
    Optional<RootKey> key = keys.apply(id.keyId());
    if (key.isEmpty()) {
      return new Refused(Why.UNKNOWN_KEY);
    }
    Optional<VerifiedCapability> capability = VerifiedCapability.of(macaroon, id, key.get());
    return capability.isPresent() ? new Genuine(capability.get()) : new Refused(Why.FORGED);
  }
}
