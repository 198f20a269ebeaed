package org.svcmailbox.core.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A broker in another process.
 *
 * @param url in the form of Artemis' client, with one or several brokers; it has no secrets
 * @param user empty when a certificate names the service
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
   * A secret, or the file with nothing else in it.
   *
   * @param text empty when it is in a file
   */
  public record Secret(Optional<String> text, Optional<Path> file) {
    @Override
    public String toString() {
      return "Secret[" + file.map(Path::toString).orElse("given") + "]";
    }
  }

  /** A file of certificates or keys, PKCS#12 or PEM by the end of its name. */
  public record Store(Path file, Optional<Secret> password) {}
}
