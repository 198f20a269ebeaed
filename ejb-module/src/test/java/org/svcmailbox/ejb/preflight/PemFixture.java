package org.svcmailbox.ejb.preflight;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import org.svcmailbox.test.net.TestCertificate;

/** A certificate and its PKCS#8 key as PEM. */
record PemFixture(String certificate, String key) {
  static PemFixture of(TestCertificate certificate) throws IOException, GeneralSecurityException {
    char[] password = certificate.password().toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.keystore())) {
      store.load(in, password);
    }
    Key key = store.getKey("test", password);
    return new PemFixture(
        pem("CERTIFICATE", store.getCertificate("test").getEncoded()),
        pem("PRIVATE KEY", key.getEncoded()));
  }

  static String pem(String kind, byte[] content) {
    String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
  }
}
