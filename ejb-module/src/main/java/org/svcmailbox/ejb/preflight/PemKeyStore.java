package org.svcmailbox.ejb.preflight;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a PKCS12 file of a certificate chain and a private key in PEM files. {@link PemFiles} has
 * found that the two belong together.
 */
final class PemKeyStore {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  /** The kinds of key that Java's TLS can use. */
  private static final List<String> KINDS = List.of("RSA", "EC");

  private PemKeyStore() {}

  /**
   * Replaces the file, readable by its owner only.
   *
   * @throws RefusedStartException when the certificate or the key cannot be used
   */
  static void make(Path certificate, Path key, Path target, char[] password) {
    List<? extends Certificate> chain = chain(certificate);
    PrivateKey secret = key(key);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("rendezvous", secret, password, chain.toArray(Certificate[]::new));
      write(store, target, password);
    } catch (GeneralSecurityException | IOException e) {
      throw new RefusedStartException(target + " cannot be written: " + e, e);
    }
  }

  private static void write(KeyStore store, Path target, char[] password)
      throws IOException, GeneralSecurityException {
    Files.deleteIfExists(target);
    Files.createFile(
        target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.WRITE)) {
      store.store(out, password);
    }
  }

  private static List<? extends Certificate> chain(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      List<? extends Certificate> chain =
          List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (IOException e) {
      throw new RefusedStartException(file + " cannot be read: " + e, e);
    } catch (CertificateException e) {
      throw new RefusedStartException(file + " has no certificates in PEM", e);
    }
    throw new RefusedStartException(file + " has no certificates in PEM");
  }

  private static PrivateKey key(Path file) {
    try {
      Matcher form = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
      if (form.find()) {
        byte[] encoded = Base64.getMimeDecoder().decode(form.group(1));
        return key(file, new PKCS8EncodedKeySpec(encoded));
      }
    } catch (IOException e) {
      throw new RefusedStartException(file + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new RefusedStartException(file + " has no private key in PEM", e);
    }
    throw new RefusedStartException(
        file
            + " has no unencrypted PKCS#8 key; openssl pkcs8 -topk8 -nocrypt makes one of another"
            + " key");
  }

  private static PrivateKey key(Path file, PKCS8EncodedKeySpec encoded) {
    for (String kind : KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // Not a key of this kind.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(kind, e);
      }
    }
    throw new RefusedStartException(file + " has neither an RSA nor an EC key");
  }
}
