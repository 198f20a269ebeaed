package org.svcmailbox.test.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.svcmailbox.test.files.Trees;

/**
 * A self-signed certificate and its key, made for one test run and valid for the addresses
 * 127.0.0.1 and 127.0.0.2.
 *
 * @param keystore the PKCS12 file
 * @param password of the file and of the key in it
 */
public record TestCertificate(Path keystore, String password) {
  private static final int KEYTOOL_SECONDS = 60;

  /** Makes one in a directory that is emptied first. */
  public static TestCertificate in(Path directory, String password) {
    Trees.delete(directory);
    TestCertificate certificate = new TestCertificate(directory.resolve("key.p12"), password);
    try {
      Files.createDirectories(directory);
      certificate.make("test", List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return certificate;
  }

  /** The keystore of one that this one signed, and that is over already. */
  public TestCertificate expired() {
    Path store = keystore.resolveSibling("expired.p12");
    TestCertificate signed = new TestCertificate(store, password);
    try {
      Files.copy(keystore, store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    signed.make("signed", List.of("-startdate", "-9d", "-signer", "test"));
    signed.keytool(List.of("-delete", "-alias", "test"));
    return signed;
  }

  private void make(String alias, List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1,ip:127.0.0.2",
                "-validity",
                "2"));
    options.addAll(more);
    keytool(options);
  }

  private void keytool(List<String> options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(
        List.of("-keystore", keystore.toString(), "-storetype", "PKCS12", "-storepass", password));
    try {
      Process keytool = new ProcessBuilder(command).inheritIO().start();
      if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new IllegalStateException("keytool made no key");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The trust of a client in this certificate alone. */
  public SSLContext trusting() {
    try {
      KeyStore trusted = load();
      trusted.setCertificateEntry("trusted", trusted.getCertificate("test"));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate cannot be used", e);
    }
  }

  /** The context of a server that shows this certificate. */
  public SSLContext showing() {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(load(), password.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate cannot be shown", e);
    }
  }

  /** The certificate as a PEM file next to the keystore. */
  public Path certificatePem() throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", load().getCertificate("test").getEncoded());
  }

  /** The key as a PEM file next to the keystore, in PKCS#8 and without a password. */
  public Path keyPem() throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", load().getKey("test", password.toCharArray()).getEncoded());
  }

  private Path pem(String kind, byte[] encoded) throws IOException {
    return Files.writeString(
        keystore.resolveSibling(kind.replace(' ', '-') + ".pem"),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(encoded)));
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(keystore)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password.toCharArray());
      return store;
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "TestCertificate[" + keystore + "]";
  }
}
