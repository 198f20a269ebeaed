package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Capabilities, as every door asks for them and operators manage them. */
public interface CapabilityService {
  /**
   * A capability that was just minted.
   *
   * @param token the secret that is handed over
   * @param expires when it ends
   */
  record Minted(String token, CapabilityId id, Instant expires) {
    @Override
    public String toString() {
      return "Minted[" + id + "]";
    }
  }

  /** What is to be revoked. */
  sealed interface Revocation {
    /** One capability and all that was narrowed from it, by its token. */
    record OfCapability(String token) implements Revocation {
      @Override
      public String toString() {
        return "OfCapability[secret]";
      }
    }

    /** The same by its nonce, 32 hex digits. */
    record OfNonce(String nonce) implements Revocation {}

    /** All that was minted with a root key. */
    record OfKey(String keyId) implements Revocation {}
  }

  /**
   * The caller that presents {@code token}; what it may do is asked of the caller. Counts as one
   * call of the address and of the capability.
   *
   * @param token what came after {@code Bearer}; null when nothing did
   * @param address where the call comes from, null when that is not known
   * @throws DeniedException when it is no capability of this service
   * @throws org.svcmailbox.core.problem.SaturatedException when there were too many calls
   */
  Caller authenticate(@Nullable String token, @Nullable InetAddress address);

  /**
   * Mints a capability: never wider than the caller's own, whose caveats it inherits.
   *
   * @param caveats what narrows it further
   * @param life how long from now it lasts, at most; 1 s to 3650 d
   * @throws DeniedException when the caller is no operator
   * @throws org.svcmailbox.core.problem.SchemaException naming each caveat that is not known, or
   *     when there are too many
   * @throws org.svcmailbox.core.problem.SaturatedException when too many mintings are kept
   */
  Minted mint(Caller operator, List<String> caveats, Duration life);

  /**
   * Revokes; on return nothing new is done with it on this node, and within {@code cap_cache_ttl}
   * on no other.
   *
   * @throws DeniedException when the caller is no operator
   * @throws org.svcmailbox.core.problem.SchemaException when it is no capability of this service,
   *     or the key that is minted with
   * @throws org.svcmailbox.core.problem.NotFoundException when there is no such key
   * @throws org.svcmailbox.core.problem.SaturatedException when too many revocations are kept
   */
  void revoke(Caller operator, Revocation what);

  /**
   * Makes a root key and mints with it from now on; the others stay good until they are revoked.
   *
   * @return its id
   * @throws DeniedException when the caller is no operator
   */
  String rotate(Caller operator);

  /** The most entries of one page. */
  int MAX_PAGE = 1_000;

  /**
   * Some of what was minted or revoked.
   *
   * @param next behind which subject the next page begins; null behind the last
   */
  record CapabilityPage(List<ListedCapability> capabilities, @Nullable String next) {}

  /**
   * Lists capabilities that were minted here and have not expired, and those that were revoked; as
   * {@link CapabilityStore#list}.
   *
   * @param after behind this subject, empty for the first page
   * @param limit at most so many, 1 to {@link #MAX_PAGE}
   * @throws DeniedException when the caller is no operator
   */
  CapabilityPage list(Caller operator, String after, int limit);

  /** What does the work, where this only leads to it through a container. */
  default CapabilityService plain() {
    return this;
  }
}
