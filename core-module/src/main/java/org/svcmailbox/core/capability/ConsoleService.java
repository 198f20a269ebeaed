package org.svcmailbox.core.capability;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService.Minted;

/**
 * Capabilities for people who are signed in to the console. Whoever calls this vouches for them: it
 * is asked by the console only, after the server or an OpenID Connect provider has said who it is.
 */
public interface ConsoleService {
  /**
   * Mints a capability that allows what the user's role does, for a short time. The audit says who
   * has it: entries of what is done with it have its nonce, and the one of the mint has both.
   *
   * @param address where they are, null when that is not known
   */
  Minted mint(ConsoleUser user, @Nullable InetAddress address);

  /**
   * Notes in the audit that somebody signed in.
   *
   * @param how in a word, such as {@code form}
   */
  void signedIn(ConsoleUser user, @Nullable InetAddress address, String how);

  /** Notes in the audit that somebody signed out. */
  void signedOut(ConsoleUser user, @Nullable InetAddress address);
}
