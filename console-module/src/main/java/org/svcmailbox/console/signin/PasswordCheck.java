package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.security.enterprise.credential.Password;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Asks the server whether a password is right, and counts the attempts. Any thread. */
@Singleton
final class PasswordCheck {
  /** Concurrent lookups of users; a directory server may be slow. */
  private static final int MAX_LOOKUPS = 8;

  private final IdentityStoreHandler users;
  private final SignInThrottle throttle = new SignInThrottle(System::nanoTime);
  private final Semaphore lookups = new Semaphore(MAX_LOOKUPS);

  @Inject
  PasswordCheck(IdentityStoreHandler users) {
    this.users = users;
  }

  /** The result of a check. */
  sealed interface Verdict {}

  /** The password is right. */
  record Right(Set<String> groups) implements Verdict {}

  /** The password is wrong, or there is no such user. */
  record Wrong() implements Verdict {}

  /** There were too many attempts; nothing was checked. */
  record TooMany(Duration delay) implements Verdict {
    /** The delay, rounded up. */
    long seconds() {
      return delay.plusMillis(999).toSeconds();
    }
  }

  /** There are too many concurrent checks; nothing was checked. */
  record Busy() implements Verdict {}

  Verdict check(@Nullable InetAddress address, String user, String password) {
    Optional<Duration> wait = throttle.begin(address, user);
    if (wait.isPresent()) {
      return new TooMany(wait.get());
    }
    if (!lookups.tryAcquire()) {
      return new Busy();
    }
    CredentialValidationResult result;
    try {
      result = users.validate(new UsernamePasswordCredential(user, new Password(password)));
    } finally {
      lookups.release();
    }
    if (result.getStatus() != Status.VALID) {
      return new Wrong();
    }
    throttle.succeeded(address, user);
    return new Right(result.getCallerGroups());
  }
}
