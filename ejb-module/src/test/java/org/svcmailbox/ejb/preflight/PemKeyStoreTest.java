package org.svcmailbox.ejb.preflight;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyStoreTest {
  private static final char[] PASSWORD = "a password".toCharArray();

  @TempDir private Path directory;

  private KeyStore generated(String kind) throws Exception {
    Path file = directory.resolve(kind + System.nanoTime() + ".p12");
    keytool("-genkeypair", file, "-keyalg", kind, "-dname", "CN=localhost");
    return load(file);
  }

  private static void keytool(String command, Path store, String... more)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    line.addAll(List.of(command, "-keystore", store.toString(), "-storetype", "PKCS12"));
    line.addAll(List.of("-storepass", "a password", "-alias", "test"));
    line.addAll(List.of(more));
    assertEquals(0, new ProcessBuilder(line).inheritIO().start().waitFor());
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD);
      return store;
    }
  }

  private Path pem(String name, String kind, byte[] encoded) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        directory.resolve(name),
        "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
  }

  private Path certificate(KeyStore of) throws IOException, GeneralSecurityException {
    return pem("cert.pem", "CERTIFICATE", of.getCertificate("test").getEncoded());
  }

  private Path key(KeyStore of) throws IOException, GeneralSecurityException {
    return pem("key.pem", "PRIVATE KEY", of.getKey("test", PASSWORD).getEncoded());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void aCertificateAndItsKeyBecomeAKeystore(String kind) throws Exception {
    KeyStore source = generated(kind);
    Path target = Files.writeString(directory.resolve("target.p12"), "an older one");
    PemKeyStore.make(certificate(source), key(source), target, PASSWORD);
    KeyStore made = load(target);
    Key key = made.getKey("rendezvous", PASSWORD);
    assertArrayEquals(source.getKey("test", PASSWORD).getEncoded(), key.getEncoded());
    assertEquals(source.getCertificate("test"), made.getCertificate("rendezvous"));
    assertEquals(
        PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(target));
  }

  @Test
  void aChainIsKeptInItsOrder() throws Exception {
    Path issuer = directory.resolve("issuer.p12");
    Path leaf = directory.resolve("leaf.p12");
    String request = directory.resolve("request").toString();
    String issued = directory.resolve("issued").toString();
    keytool("-genkeypair", issuer, "-keyalg", "EC", "-dname", "CN=issuer", "-ext", "bc:c");
    keytool("-genkeypair", leaf, "-keyalg", "EC", "-dname", "CN=localhost");
    keytool("-certreq", leaf, "-file", request);
    keytool("-gencert", issuer, "-infile", request, "-outfile", issued, "-rfc");
    String chain = Files.readString(Path.of(issued)) + Files.readString(certificate(load(issuer)));
    Path target = directory.resolve("target.p12");
    Path both = Files.writeString(directory.resolve("chain.pem"), chain);
    PemKeyStore.make(both, key(load(leaf)), target, PASSWORD);
    Certificate[] kept = load(target).getCertificateChain("rendezvous");
    assertEquals(2, kept.length);
    assertEquals(load(issuer).getCertificate("test"), kept[1]);
  }

  @Test
  void anotherFormOfKeyIsNamed() throws Exception {
    KeyStore source = generated("EC");
    Path key = pem("key.pem", "EC PRIVATE KEY", source.getKey("test", PASSWORD).getEncoded());
    assertRefused("openssl pkcs8 -topk8 -nocrypt", certificate(source), key);
  }

  @Test
  void filesThatAreMissingOrOfAnotherKindAreNamed() throws Exception {
    KeyStore source = generated("EC");
    Path missing = directory.resolve("missing.pem");
    assertRefused("missing.pem cannot be read", missing, key(source));
    assertRefused("missing.pem cannot be read", certificate(source), missing);
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    assertRefused("empty.pem has no certificates", empty, key(source));
    Path noise = pem("noise.pem", "PRIVATE KEY", "noise".getBytes(StandardCharsets.UTF_8));
    assertRefused("noise.pem has neither an RSA nor an EC key", certificate(source), noise);
  }

  private void assertRefused(String why, Path certificate, Path key) {
    Path target = directory.resolve("refused.p12");
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> PemKeyStore.make(certificate, key, target, PASSWORD));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(why), message);
    assertTrue(Files.notExists(target));
  }
}
