package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
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

    /** The same, by nonce. */
    record OfNonce(String nonce) implements Revocation {}

    /** Everything minted with a root key. */
    record OfKey(String keyId) implements Revocation {}
  }

  /**
   * The capabilities that a revocation covers.
   *
   * @param subject their nonce or key id
   */
  record Revoked(String subject, Predicate<CapabilityId> covers) {}

  /**
   * Authenticates a bearer token and counts the call against its address and capability.
   *
   * @throws DeniedException when it is no capability of this service
   * @throws org.svcmailbox.core.problem.SaturatedException when a rate is exceeded
   */
  Caller authenticate(@Nullable String token, @Nullable InetAddress address);

  /**
   * Counts one more call against the capability of a caller, whose stream received messages.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException when a rate is exceeded
   */
  void countCall(Caller caller);

  /** The holders of capabilities, by nonce: all that is narrowed from one is one holder. */
  BodyOwners bodyOwners();

  /**
   * Mints a capability that inherits the caller's caveats, so it is never wider.
   *
   * @param life 1 s to 3650 d
   * @throws org.svcmailbox.core.problem.SchemaException naming each unknown caveat, or when there
   *     are too many
   * @throws org.svcmailbox.core.problem.SaturatedException when too many mintings are kept
   */
  Minted mint(Caller operator, List<String> caveats, Duration life);

  /**
   * Revokes; effective on this node on return, elsewhere within {@code cap_cache_ttl}.
   *
   * @return what is revoked by it
   * @throws org.svcmailbox.core.problem.SchemaException for a foreign capability or the current
   *     root key
   * @throws org.svcmailbox.core.problem.NotFoundException when there is no such key
   * @throws org.svcmailbox.core.problem.SaturatedException when too many revocations are kept
   */
  Revoked revoke(Caller operator, Revocation what);

  /** Makes a root key, mints with it from now on and returns its id; older keys stay valid. */
  String rotate(Caller operator);

  int MAX_PAGE = 1_000;

  /** One page; {@code next} is the subject to continue after, null on the last page. */
  record CapabilityPage(List<ListedCapability> capabilities, @Nullable String next) {}

  /**
   * Lists at most {@code limit} capabilities behind {@code after}, as {@link CapabilityStore#list}.
   */
  CapabilityPage list(Caller operator, String after, int limit);
}
