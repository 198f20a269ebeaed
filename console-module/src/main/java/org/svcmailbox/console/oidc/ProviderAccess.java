package org.svcmailbox.console.oidc;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.svcmailbox.console.session.Reception;
import org.svcmailbox.core.settings.MailboxSettings;

/** The provider, where there is one. */
@Singleton
public final class ProviderAccess {
  private final Optional<ProviderSignIn> signIn;

  /** With what the container gives. */
  @Inject
  public ProviderAccess(Reception reception, MailboxSettings settings) {
    this.signIn =
        settings
            .console()
            .oidc()
            .map(
                oidc ->
                    new ProviderSignIn(
                        new Provider(oidc, InstantSource.system(), System::nanoTime),
                        oidc,
                        settings.console().url(),
                        reception,
                        new SecureRandom()));
  }

  /** How one signs in with it; empty when people are the server's own users. */
  public Optional<ProviderSignIn> signIn() {
    return signIn;
  }
}
