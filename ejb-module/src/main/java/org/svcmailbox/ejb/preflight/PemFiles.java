package org.svcmailbox.ejb.preflight;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.RendezvousSetting;
import org.svcmailbox.core.settings.RendezvousSettings.Pem;

/**
 * Checks a certificate and its key in PEM files before the start: with unusable files the server
 * would run without the listener.
 */
final class PemFiles {
  private static final String CERTIFICATE = RendezvousSetting.CERT_PATH.key() + " ";
  private static final String KEY = RendezvousSetting.KEY_PATH.key() + " ";

  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  /** Key types of TLS, each with the signature algorithm that tests whether two halves match. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private PemFiles() {}

  /** Reasons not to use the files, without any of their content. */
  static List<String> violations(Pem pem) {
    List<String> violations = new ArrayList<>();
    PublicKey certified = certified(pem.certificate(), violations);
    PrivateKey secret = secret(pem.key(), violations);
    if (certified != null && secret != null && !belong(certified, secret)) {
      violations.add(KEY + pem.key() + " is not the key of " + pem.certificate());
    }
    return violations;
  }

  /** The key of the first certificate, which is the server's own. */
  private static @Nullable PublicKey certified(Path file, List<String> violations) {
    try {
      Collection<? extends Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (!chain.isEmpty()) {
        return chain.iterator().next().getPublicKey();
      }
      violations.add(CERTIFICATE + file + " has no certificate in it");
    } catch (IOException e) {
      violations.add(CERTIFICATE + file + " cannot be read");
    } catch (GeneralSecurityException e) {
      violations.add(CERTIFICATE + file + " has no certificate in it");
    }
    return null;
  }

  private static @Nullable PrivateKey secret(Path file, List<String> violations) {
    try {
      Matcher form = PKCS8.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      Optional<PrivateKey> key =
          form.find() ? key(Base64.getMimeDecoder().decode(form.group(1))) : Optional.empty();
      if (key.isPresent()) {
        return key.get();
      }
      violations.add(KEY + file + " has no private key of PKCS#8 in it");
    } catch (IOException e) {
      violations.add(KEY + file + " cannot be read");
    } catch (IllegalArgumentException e) {
      violations.add(KEY + file + " has no private key of PKCS#8 in it");
    }
    return null;
  }

  private static Optional<PrivateKey> key(byte[] encoded) {
    return SIGNATURES.keySet().stream()
        .map(algorithm -> key(algorithm, encoded))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<PrivateKey> key(String algorithm, byte[] encoded) {
    try {
      return Optional.of(
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded)));
    } catch (InvalidKeySpecException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }

  /** Whether a signature of the private key verifies with the certified one. */
  private static boolean belong(PublicKey certified, PrivateKey secret) {
    try {
      Signature signature = Signature.getInstance(SIGNATURES.get(kind(secret)));
      signature.initSign(secret);
      signature.update(KEY.getBytes(StandardCharsets.UTF_8));
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(KEY.getBytes(StandardCharsets.UTF_8));
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Keys on a curve use the curve's name as their algorithm. */
  private static String kind(PrivateKey secret) {
    String algorithm = secret.getAlgorithm();
    return SIGNATURES.containsKey(algorithm) ? algorithm : "EdDSA";
  }
}
