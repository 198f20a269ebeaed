package org.svcmailbox.core.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A broker in another process.
 *
 * @param url in the form of Artemis' client, with one or several brokers and without secrets
 * @param user empty if a certificate identifies the service
 * @param password empty without a user
 * @param trust empty for the certificates that the JVM trusts
 * @param key the service's certificate and key; empty for none
 */
public record BrokerSettings(
    String url,
    Optional<String> user,
    Optional<Secret> password,
    Optional<Store> trust,
    Optional<Store> key) {

  /**
   * A secret, or a file that contains nothing else.
   *
   * @param text empty if it is in a file
   */
  public record Secret(Optional<String> text, Optional<Path> file) {
    @Override
    public String toString() {
      return "Secret[" + file.map(Path::toString).orElse("given") + "]";
    }
  }

  /** A file of certificates or keys, in PKCS#12 or PEM according to its extension. */
  public record Store(Path file, Optional<Secret> password) {}
}
