package org.svcmailbox.ejb.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.net.TestCertificate;

class PreflightTest {
  @TempDir private Path directory;

  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) throws IOException {
    Files.deleteIfExists(written());
    Files.createDirectories(directory.resolve("data/mailbox"));
    err.reset();
    return new Preflight(environment, directory.resolve("data"), List.of(arguments))
        .run(written(), new PrintStream(err, true, UTF_8));
  }

  private Path written() {
    return directory.resolve("start.env");
  }

  private List<String> printed() throws IOException {
    return Files.exists(written()) ? Files.readAllLines(written()) : List.of();
  }

  private List<String> refused() {
    return err.toString(UTF_8).lines().toList();
  }

  private void file(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("mailbox.toml"), text);
    environment.put("MAILBOX_CONFIG_FILE", file.toString());
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsAwayAndAnotherKindIsRefused() throws IOException {
    environment.put("MAILBOX_DB_DRIVER", "postgresql");
    environment.put(
        "MAILBOX_DB_URL", "jdbc:postgresql://127.0.0.1:" + PortOffset.freePort() + "/x");
    assertEquals(69, run());
    assertEquals(1, refused().size(), () -> String.join("\n", refused()));
    assertTrue(
        refused().get(0).startsWith("mailbox: The database does not answer: Connection to "));
    environment.put("MAILBOX_DB_URL", "jdbc:sqlite:x");
    assertEquals(78, run());
    assertEquals(
        List.of(
            "mailbox: MAILBOX_DB_URL must begin with jdbc:postgresql: for MAILBOX_DB_DRIVER=postgresql"),
        refused());
  }

  @Test
  void aDoorThatIsOffNeedsNothingElse() throws IOException {
    assertEquals(0, run());
    assertEquals(List.of("RENDEZVOUS_ENABLED='false'"), printed());
    assertEquals(List.of(), refused());
  }

  @Test
  void aDoorThatIsOnSaysWhereItListens() throws IOException {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    assertEquals(0, run());
    assertEquals(
        List.of(
            "RENDEZVOUS_ENABLED='true'",
            "RENDEZVOUS_ADDRESS='127.0.0.1'",
            "RENDEZVOUS_PORT='8090'",
            "RENDEZVOUS_MAX_CONNECTIONS='12000'",
            "RENDEZVOUS_TLS_MIN_VERSION='1.2'"),
        printed());
  }

  @Test
  void filesOfTheBrokersSettingsMustBeReadable() throws IOException {
    Path there = Files.writeString(directory.resolve("there.pem"), "");
    Path missing = directory.resolve("missing.pem");
    environment.put("MAILBOX_BROKER_URL", "tcp://a:61617?sslEnabled=true");
    environment.put("MAILBOX_BROKER_USER", "u");
    environment.put("MAILBOX_BROKER_PASSWORD_FILE", missing.toString());
    environment.put("MAILBOX_BROKER_TRUST_STORE", there.toString());
    environment.put("MAILBOX_BROKER_KEY_STORE", missing.toString());
    environment.put("MAILBOX_BROKER_KEY_STORE_PASSWORD_FILE", directory.toString());
    assertEquals(Preflight.REFUSED, run());
    assertEquals(
        List.of(
            "mailbox: mailbox.broker.password_file " + missing + " cannot be read",
            "mailbox: mailbox.broker.key_store " + missing + " cannot be read",
            "mailbox: mailbox.broker.key_store_password_file " + directory + " cannot be read"),
        refused());
    Files.writeString(missing, "secret");
    environment.put("MAILBOX_BROKER_KEY_STORE_PASSWORD_FILE", missing.toString());
    assertEquals(0, run());
  }

  @Test
  void theCertificatesOfOtherNodesMustBeThere() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    environment.put("MAILBOX_CLUSTER_NODE", "a");
    environment.put("MAILBOX_CLUSTER_URL", "https://a:8443");
    environment.put("MAILBOX_CLUSTER_TRUST_STORE", empty.toString());
    environment.put("MAILBOX_BROKER_URL", "tcp://a:61617");
    environment.put("MAILBOX_BROKER_USER", "u");
    environment.put("MAILBOX_BROKER_PASSWORD", "p");
    environment.put("MAILBOX_TOPICS_AUTO_CREATE", "false");
    assertEquals(Preflight.REFUSED, run());
    assertEquals(
        List.of("mailbox: mailbox.cluster.trust_store " + empty + " has no certificate in it"),
        refused());
  }

  @Test
  void propertiesComeBeforeTheEnvironmentAndThatBeforeTheFile() throws IOException {
    file(
        """
        [mailbox.rendezvous]
        enabled = true
        listen_addr = "127.0.0.1:1001"
        max_connections = 11
        tls.min_version = "1.3"
        """);
    environment.put("MAILBOX_RENDEZVOUS_LISTEN_ADDR", "127.0.0.1:1002");
    environment.put("MAILBOX_RENDEZVOUS_MAX_CONNECTIONS", "12");
    environment.put("MAILBOX_JAVA_OPTS", "-Xss1m -Dmailbox.rendezvous.max_connections=13");
    assertEquals(0, run("-b", "-Dmailbox.rendezvous.listen_addr=127.0.0.1:1003"));
    assertEquals("RENDEZVOUS_PORT='1003'", printed().get(2));
    assertEquals("RENDEZVOUS_MAX_CONNECTIONS='13'", printed().get(3));
    assertEquals("RENDEZVOUS_TLS_MIN_VERSION='1.3'", printed().get(4));
    environment.remove("MAILBOX_JAVA_OPTS");
    assertEquals(0, run());
    assertEquals("RENDEZVOUS_PORT='1002'", printed().get(2));
    assertEquals("RENDEZVOUS_MAX_CONNECTIONS='12'", printed().get(3));
    environment.remove("MAILBOX_RENDEZVOUS_LISTEN_ADDR");
    environment.put("MAILBOX_RENDEZVOUS_MAX_CONNECTIONS", "");
    assertEquals(0, run());
    assertEquals("RENDEZVOUS_PORT='1001'", printed().get(2));
    assertEquals("RENDEZVOUS_MAX_CONNECTIONS='11'", printed().get(3), "empty is none");
  }

  @Test
  void allThatIsWrongIsSaidTogetherAndNothingIsPrinted() throws IOException {
    file(
        """
        rendezvous.enabled = true
        [mailbox]
        t_replay = "banana"
        [mailbox.rendezvous]
        max_mailbox = 1
        """);
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "yes");
    environment.put("MAILBOX_RENDEZVOUS_LISTEN_ADDRESS", "0.0.0.0:1");
    assertEquals(Preflight.REFUSED, run("-Dmailbox.rendezvous.max_queue=1"));
    assertEquals(
        List.of(
            "mailbox: mailbox.config_file: rendezvous.enabled is not a setting",
            "mailbox: mailbox.rendezvous.max_mailbox is not a setting",
            "mailbox: mailbox.rendezvous.max_queue is not a setting",
            "mailbox: mailbox.rendezvous_listen_address is not a setting"),
        refused().subList(0, 4));
    assertEquals(6, refused().size(), () -> String.join("\n", refused()));
    assertEquals(List.of(), printed());
  }

  @Test
  void aTokenIsNeverRepeated() throws IOException {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_AUTH_TOKENS", "short");
    assertEquals(Preflight.REFUSED, run());
    assertEquals(false, err.toString(UTF_8).contains("short"));
  }

  @Test
  void variablesOfTheServerAndThePlatformAreNoSettings() throws IOException {
    environment.put("MAILBOX_DATA_DIR", "/tmp");
    environment.put("MAILBOX_LIBERTY_XML", "/etc/mailbox/liberty.xml");
    environment.put("MAILBOX_PORT_8080_TCP", "tcp://10.0.0.1:8080");
    assertEquals(0, run());
  }

  @Test
  void variablesOfClientsAreNoSettings() throws Exception {
    environment.put("MAILBOX_URL", "http://127.0.0.1:8080");
    environment.put("MAILBOX_TOKEN_FILE", "mailbox.cap");
    environment.put("MAILBOX_CLI_JAVA_OPTS", "-Xmx64m");
    environment.put("MAILBOX_WORKER_DATABASE_URL", "jdbc:sqlite:x");
    assertEquals(0, run(), () -> String.join("\n", refused()));
    environment.put("MAILBOX_URLS", "http://127.0.0.1:8080");
    assertEquals(Preflight.REFUSED, run());
  }

  @Test
  void theServersCertificateWillDo() throws Exception {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_LISTEN_ADDR", "0.0.0.0:8090");
    assertEquals(Preflight.REFUSED, run(), "tokens in the clear");
    keystore();
    assertEquals(0, run(), () -> String.join("\n", refused()));
  }

  private Path keystore() throws Exception {
    Path keystore = TestCertificate.in(directory.resolve("own"), "password").keystore();
    environment.put("MAILBOX_TLS_KEYSTORE", keystore.toString());
    environment.put("MAILBOX_TLS_PASSWORD", "password");
    return keystore;
  }

  @Test
  void aKeystoreThatTheServerCouldNotUseIsRefused() throws Exception {
    Path keystore = keystore();
    assertEquals(0, run());
    assertEquals("TLS_KEYSTORE_TYPE='PKCS12'", printed().get(0));
    environment.put("MAILBOX_TLS_PASSWORD", "another");
    assertEquals(Preflight.REFUSED, run());
    assertEquals(
        List.of("mailbox: MAILBOX_TLS_KEYSTORE=" + keystore + ": keystore password was incorrect"),
        refused());
    environment.put("MAILBOX_TLS_KEYSTORE", keystore + ".missing");
    assertEquals(Preflight.REFUSED, run());
    assertEquals(
        List.of(
            "mailbox: MAILBOX_TLS_KEYSTORE=" + keystore + ".missing: Keystore file does not exist"),
        refused());
    assertEquals(List.of(), printed());
  }

  @Test
  void pemFilesAreCheckedAndBecomeAKeystoreOfThisStart() throws Exception {
    PemFixture pem = PemFixture.of(TestCertificate.in(directory.resolve("own"), "password"));
    Path odd = Files.createDirectories(directory.resolve("it's $odd"));
    Path certificate = Files.writeString(odd.resolve("cert.pem"), pem.certificate());
    Path key = Files.writeString(odd.resolve("key.pem"), pem.key());
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_TLS_CERT_PATH", certificate.toString());
    environment.put("MAILBOX_RENDEZVOUS_TLS_KEY_PATH", key.toString());
    assertEquals(0, run(), () -> String.join("\n", refused()));
    String keystore = sourced("RENDEZVOUS_KEYSTORE");
    assertEquals(directory.resolve("data/mailbox/rendezvous.p12").toString(), keystore);
    char[] password = sourced("RENDEZVOUS_KEYSTORE_PASSWORD").toCharArray();
    assertEquals(
        1, KeyStore.getInstance(Path.of(keystore).toFile(), password).size(), "one key in it");
    Files.writeString(key, "garbage");
    Files.delete(certificate);
    assertEquals(Preflight.REFUSED, run());
    assertEquals(2, refused().size());
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "false");
    assertEquals(0, run(), "of no interest while the door is off");
  }

  @Test
  void aShellReadsWhatIsQuoted() throws Exception {
    Path data = directory.resolve("it's $odd");
    Path odd = Files.createDirectories(data.resolve("mailbox"));
    PemFixture pem = PemFixture.of(TestCertificate.in(directory.resolve("own"), "password"));
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put(
        "MAILBOX_RENDEZVOUS_TLS_CERT_PATH",
        Files.writeString(odd.resolve("cert.pem"), pem.certificate()).toString());
    environment.put(
        "MAILBOX_RENDEZVOUS_TLS_KEY_PATH",
        Files.writeString(odd.resolve("key.pem"), pem.key()).toString());
    assertEquals(
        0,
        new Preflight(environment, data, List.of())
            .run(written(), new PrintStream(err, true, UTF_8)));
    assertEquals(odd.resolve("rendezvous.p12").toString(), sourced("RENDEZVOUS_KEYSTORE"));
  }

  private String sourced(String variable) throws IOException {
    Process shell =
        new ProcessBuilder(
                "sh", "-c", ". \"$0\"; printf %s \"$" + variable + "\"", written().toString())
            .start();
    return new String(shell.getInputStream().readAllBytes(), UTF_8);
  }
}
