package org.svcmailbox.ejb.preflight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks the keystore of the server's own TLS: with one that it cannot read, the server would run
 * without a listener.
 */
final class ServerKeyStore {
  static final String VARIABLE = "MAILBOX_TLS_KEYSTORE";

  private ServerKeyStore() {}

  /**
   * The type of a keystore with a private key: {@code PKCS12} or {@code JKS}.
   *
   * @throws RefusedStartException when the server could not use it
   */
  static String type(Path path, char[] password) {
    if (!Files.exists(path)) {
      throw refused(path, "Keystore file does not exist", null);
    }
    try {
      KeyStore store = KeyStore.getInstance(path.toFile(), password);
      for (String alias : Collections.list(store.aliases())) {
        if (store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class)) {
          return store.getType().toUpperCase(Locale.ROOT);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw refused(path, String.valueOf(e.getMessage()), e);
    }
    throw refused(path, "no private key in it", null);
  }

  private static RefusedStartException refused(Path file, String why, @Nullable Exception cause) {
    return new RefusedStartException(VARIABLE + "=" + file + ": " + why, cause);
  }
}
