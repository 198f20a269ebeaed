package org.svcmailbox.core.capability;

import java.util.Optional;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.Verification.Why;

/**
 * Looks at tokens: form, key, chain, revocation, in this order, so that nothing of a forged token
 * is believed and nobody can ask the revocations about capabilities that are not theirs. Any
 * thread.
 */
public final class CapabilityVerifier {
  private final RootKeys keys;
  private final Revocations revocations;

  public CapabilityVerifier(RootKeys keys, Revocations revocations) {
    this.keys = keys;
    this.revocations = revocations;
  }

  /** What {@code token} is. */
  public Verification verify(String token) {
    Macaroon macaroon;
    CapabilityId id;
    try {
      macaroon = Macaroon.parse(token);
      id = CapabilityId.ofBytes(macaroon.identifier());
    } catch (MalformedCapabilityException e) {
      return new Refused(Why.MALFORMED);
    }
    Optional<RootKey> key = keys.find(id.keyId());
    return key.isEmpty() ? new Refused(Why.UNKNOWN_KEY) : verify(macaroon, id, key.get());
  }

  private Verification verify(Macaroon macaroon, CapabilityId id, RootKey key) {
    Optional<Capability> capability = Capability.of(macaroon, id, key);
    if (capability.isEmpty()) {
      return new Refused(Why.FORGED);
    }
    return revocations.isRevoked(id) ? new Refused(Why.REVOKED) : new Genuine(capability.get());
  }
}
