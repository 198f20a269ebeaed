package org.svcmailbox.ejb.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.settings.RendezvousSettings.Pem;
import org.svcmailbox.test.net.TestCertificate;

class PemFilesTest {
  private static PemFixture own;

  @TempDir private Path directory;

  @BeforeAll
  static void make(@TempDir Path directory) throws Exception {
    own = PemFixture.of(TestCertificate.in(directory.resolve("own"), "password"));
  }

  private Path certificate() {
    return directory.resolve("cert.pem");
  }

  private Path key() {
    return directory.resolve("key.pem");
  }

  private List<String> violations(String certificate, String key) throws IOException {
    Files.writeString(certificate(), certificate);
    Files.writeString(key(), key);
    return PemFiles.violations(new Pem(certificate(), key()));
  }

  private String ofCertificate(String what) {
    return "mailbox.rendezvous.tls.cert_path " + certificate() + what;
  }

  private String ofKey(String what) {
    return "mailbox.rendezvous.tls.key_path " + key() + what;
  }

  @Test
  void aCertificateWithItsKeyWillDo() throws IOException {
    assertEquals(List.of(), violations(own.certificate(), own.key()));
    assertEquals(
        List.of(), violations("subject\n" + own.certificate() + own.certificate(), own.key()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void theKeyOfAnotherCertificateIsRefused(String algorithm) throws Exception {
    byte[] other =
        KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded();
    assertEquals(
        List.of(ofKey(" is not the key of " + certificate())),
        violations(own.certificate(), PemFixture.pem("PRIVATE KEY", other)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----"
      })
  void whatIsNoPlainKeyOfPkcs8IsRefused(String key) throws IOException {
    assertEquals(
        List.of(ofKey(" has no private key of PKCS#8 in it")), violations(own.certificate(), key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"})
  void whatIsNoCertificateIsRefused(String certificate) throws IOException {
    assertEquals(
        List.of(ofCertificate(" has no certificate in it")), violations(certificate, own.key()));
  }

  @Test
  void filesThatAreNotThereAreBothSaid() {
    assertEquals(
        List.of(ofCertificate(" cannot be read"), ofKey(" cannot be read")),
        PemFiles.violations(new Pem(certificate(), key())));
  }
}
