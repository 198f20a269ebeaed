package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Capabilities for console users. The console vouches for them: the server or an OpenID Connect
 * provider has authenticated them.
 */
public interface ConsoleService {
  /** The life of an elevated capability. */
  Duration ELEVATED = Duration.ofSeconds(60);

  /**
   * Mints a short-lived capability for the user's role. The audit links the user to the nonce.
   *
   * @throws SaturatedException if all users have too many unexpired ones, or this user has more
   *     than a fair share of them
   */
  Minted mint(ConsoleUser user, @Nullable InetAddress address);

  /**
   * Mints a capability of one more operation, for {@link #ELEVATED}. The caller has checked that
   * the user may elevate, and is the user still.
   *
   * @throws SaturatedException as {@link #mint}
   */
  Minted elevate(ConsoleUser user, @Nullable InetAddress address, Elevation what);

  /**
   * Mints a capability for another holder. It outlives the session. The caller has checked that the
   * user may elevate, and is the user still.
   *
   * @throws SaturatedException as {@link CapabilityService#mint}
   * @throws SchemaException if the caveats are too many or too long
   */
  Minted mint(ConsoleUser user, @Nullable InetAddress address, CapabilityOrder order);

  /** Records that a user proved again to be the user; {@code how} as for {@link #signedIn}. */
  void confirmed(ConsoleUser user, @Nullable InetAddress address, String how);

  /** Records a sign-in; {@code how} is a word such as {@code form}. */
  void signedIn(ConsoleUser user, @Nullable InetAddress address, String how);

  /**
   * Counts a failed sign-in for the audit, which later gets it together with others of its kind.
   *
   * @param user as typed; the audit shows it to operators only
   * @param why one of a few constant words
   */
  void signInFailed(String user, @Nullable InetAddress address, String why);

  /** Records a sign-out. */
  void signedOut(ConsoleUser user, @Nullable InetAddress address);

  /** Records that a user changes the password. */
  void passwordChanged(ConsoleUser user, @Nullable InetAddress address);

  /**
   * Ends capabilities of a user's session: on this node at once, even if the store then throws, and
   * on other nodes like any revocation.
   */
  void end(ConsoleUser user, @Nullable InetAddress address, List<CapabilityId> held);
}
