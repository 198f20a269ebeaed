package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.ListedCapability;

/**
 * Checks capabilities for every endpoint and manages them for operators. Management throws {@code
 * DeniedException} when the caller is no operator.
 */
public interface CapabilityService {
  /** A new capability; {@code token} is its secret text. */
  record Minted(String token, CapabilityId id, Instant expires) {
    @Override
    public String toString() {
      return "Minted[" + id + "]";
    }
  }

  sealed interface Revocation {
    /** A capability and all narrowed from it, by token. */
    record OfCapability(String token) implements Revocation {
      @Override
      public String toString() {
        return "OfCapability[secret]";
      }
    }

    /** As {@link OfCapability}, by nonce. */
    record OfNonce(String nonce) implements Revocation {}

    /** Everything minted with a root key. */
    record OfKey(String keyId) implements Revocation {}
  }

  /**
   * The capabilities that a revocation covers.
   *
   * @param right that the revocation needs
   * @param subject their nonce or key id
   */
  record Revoked(Operation right, String subject, Predicate<CapabilityId> covers) {}

  /**
   * Authenticates a bearer token and counts the call against its address and capability.
   *
   * @throws DeniedException if it is not a capability of this service
   * @throws org.svcmailbox.core.problem.SaturatedException if a rate is exceeded
   */
  Caller authenticate(@Nullable String token, @Nullable InetAddress address);

  /**
   * Counts one more call against the capability of a caller, whose stream received messages.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException if a rate is exceeded
   */
  void countCall(Caller caller);

  /**
   * Finds the owners of bodies by nonce: everything narrowed from a capability has the same owner.
   */
  BodyOwners bodyOwners();

  /**
   * Mints a capability that inherits the caller's caveats, so it is never wider.
   *
   * @param life 1 s to 3650 d
   * @param note {@link CapabilityNote#checked}; null for none
   * @throws org.svcmailbox.core.problem.SchemaException naming each unknown caveat, or if there are
   *     too many
   * @throws org.svcmailbox.core.problem.SaturatedException if too many mintings are stored
   */
  Minted mint(Caller operator, List<String> caveats, Duration life, @Nullable String note);

  /** As above, without a note. */
  default Minted mint(Caller operator, List<String> caveats, Duration life) {
    return mint(operator, caveats, life, null);
  }

  /**
   * Revokes; effective on this node on return, elsewhere within {@code cap_cache_ttl}.
   *
   * @return what the revocation covers
   * @throws org.svcmailbox.core.problem.SchemaException for a foreign capability or the current
   *     root key
   * @throws org.svcmailbox.core.problem.NotFoundException if the key does not exist
   * @throws org.svcmailbox.core.problem.SaturatedException if too many revocations are stored
   */
  Revoked revoke(Caller operator, Revocation what);

  /** Makes a root key and returns its id. It mints from now on; older keys stay valid. */
  String rotate(Caller operator);

  int MAX_PAGE = 1_000;

  /** One page; {@code next} is the subject to continue after, null on the last page. */
  record CapabilityPage(List<ListedCapability> capabilities, @Nullable String next) {}

  /**
   * Lists at most {@code limit} capabilities after {@code after}, as {@link CapabilityStore#list}.
   * Requires {@code audit}.
   */
  CapabilityPage list(Caller operator, ListedCapability.Kind kind, String after, int limit);
}
