package org.svcmailbox.core.capability;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityService.Minted;

/**
 * Capabilities for console users. The console vouches for them: the server or an OpenID Connect
 * provider has authenticated them.
 */
public interface ConsoleService {
  /** Mints a short-lived capability for the user's role; the audit links the user to the nonce. */
  Minted mint(ConsoleUser user, @Nullable InetAddress address);

  /** Records a sign-in; {@code how} is a word such as {@code form}. */
  void signedIn(ConsoleUser user, @Nullable InetAddress address, String how);

  void signedOut(ConsoleUser user, @Nullable InetAddress address);
}
