package org.svcmailbox.console.oidc;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.core.settings.MailboxSettings;

/** Access to the provider, if one is configured. */
@Singleton
public final class ProviderAccess {
  private final Optional<ProviderSignIn> signIn;

  @Inject
  public ProviderAccess(SessionService sessions, MailboxSettings settings) {
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
                        sessions,
                        new SecureRandom()));
  }

  /** The sign-in with the provider; empty if the server's own users sign in. */
  public Optional<ProviderSignIn> signIn() {
    return signIn;
  }
}
