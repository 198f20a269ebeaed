package org.svcmailbox.core.capability;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

/**
 * The capability of a node among several, by which the others believe what it says of clients. It
 * has a nonce that no other capability has, so only a holder of the root key makes one: nobody can
 * narrow another capability to it. Its caveat permits nothing else. Pure.
 */
final class PeerCapability {
  /** How long one is valid. */
  static final Duration LIFE = Duration.ofMinutes(1);

  private static final String CAVEAT = "ops = peer";
  private static final String EXPIRES = "expires < ";
  private static final byte[] NONCE = "mailbox.peer.v1\0".getBytes(StandardCharsets.US_ASCII);

  private PeerCapability() {}

  /** The same for all nodes, so that one answer about its revocation counts for all. */
  static CapabilityId id(String keyId) {
    return CapabilityId.of(keyId, NONCE);
  }

  static List<String> caveats(Instant end) {
    return List.of(CAVEAT, EXPIRES + end);
  }

  /** Why a genuine capability is not a node's now; empty if it is. */
  static Optional<Denial> denial(VerifiedCapability capability, Instant now) {
    List<String> caveats = capability.caveats();
    boolean isPeer =
        capability.id().equals(id(capability.id().keyId()))
            && caveats.size() == 2
            && caveats.get(0).equals(CAVEAT)
            && capability.expires().isPresent();
    if (!isPeer) {
      return Optional.of(Denial.OPERATION);
    }
    return capability.expires().filter(end -> !now.isBefore(end)).map(end -> Denial.EXPIRED);
  }
}
