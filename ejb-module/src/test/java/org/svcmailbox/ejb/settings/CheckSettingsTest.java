package org.svcmailbox.ejb.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.net.TestCertificate;

class CheckSettingsTest {
  @TempDir private Path directory;

  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    out.reset();
    err.reset();
    return new CheckSettings(environment, List.of(arguments))
        .run(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private List<String> printed() {
    return out.toString(UTF_8).lines().toList();
  }

  private List<String> refused() {
    return err.toString(UTF_8).lines().toList();
  }

  private void file(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("mailbox.toml"), text);
    environment.put("MAILBOX_CONFIG_FILE", file.toString());
  }

  @Test
  void aDoorThatIsOffNeedsNothingElse() {
    assertEquals(0, run());
    assertEquals(List.of("RENDEZVOUS_ENABLED='false'"), printed());
    assertEquals(List.of(), refused());
  }

  @Test
  void aDoorThatIsOnSaysWhereItListens() {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    assertEquals(0, run());
    assertEquals(
        List.of(
            "RENDEZVOUS_ENABLED='true'",
            "RENDEZVOUS_ADDRESS='127.0.0.1'",
            "RENDEZVOUS_PORT='8090'",
            "RENDEZVOUS_MAX_CONNECTIONS='12000'",
            "RENDEZVOUS_TLS_MIN_VERSION='1.2'",
            "RENDEZVOUS_CERT_PATH=''",
            "RENDEZVOUS_KEY_PATH=''"),
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
    assertEquals(CheckSettings.REFUSED, run());
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
    assertEquals(CheckSettings.REFUSED, run("-Dmailbox.rendezvous.max_queue=1"));
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
  void aTokenIsNeverRepeated() {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_AUTH_TOKENS", "short");
    assertEquals(CheckSettings.REFUSED, run());
    assertEquals(false, err.toString(UTF_8).contains("short"));
  }

  @Test
  void variablesOfTheServerAndThePlatformAreNoSettings() {
    environment.put("MAILBOX_DATA_DIR", "/tmp");
    environment.put("MAILBOX_PORT_8080_TCP", "tcp://10.0.0.1:8080");
    assertEquals(0, run());
  }

  @Test
  void variablesOfClientsAreNoSettings() {
    environment.put("MAILBOX_URL", "http://127.0.0.1:8080");
    environment.put("MAILBOX_TOKEN_FILE", "mailbox.cap");
    environment.put("MAILBOX_CLI_JAVA_OPTS", "-Xmx64m");
    environment.put("MAILBOX_WORKER_DATABASE_URL", "jdbc:sqlite:x");
    assertEquals(0, run(), () -> String.join("\n", refused()));
    environment.put("MAILBOX_URLS", "http://127.0.0.1:8080");
    assertEquals(CheckSettings.REFUSED, run());
  }

  @Test
  void theServersCertificateWillDo() {
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_LISTEN_ADDR", "0.0.0.0:8090");
    assertEquals(CheckSettings.REFUSED, run(), "tokens in the clear");
    environment.put("MAILBOX_TLS_KEYSTORE", "/etc/key.p12");
    assertEquals(0, run(), () -> String.join("\n", refused()));
  }

  @Test
  void pemFilesAreLookedAtAndNamedWhole() throws Exception {
    PemFixture pem = PemFixture.of(TestCertificate.in(directory.resolve("own"), "password"));
    Path odd = Files.createDirectories(directory.resolve("it's $odd"));
    Path certificate = Files.writeString(odd.resolve("cert.pem"), pem.certificate());
    Path key = Files.writeString(odd.resolve("key.pem"), pem.key());
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "true");
    environment.put("MAILBOX_RENDEZVOUS_TLS_CERT_PATH", certificate.toString());
    environment.put("MAILBOX_RENDEZVOUS_TLS_KEY_PATH", key.toString());
    assertEquals(0, run(), () -> String.join("\n", refused()));
    String quoted = odd.toString().replace("'", "'\\''");
    assertEquals("RENDEZVOUS_CERT_PATH='" + quoted + "/cert.pem'", printed().get(5));
    assertEquals("RENDEZVOUS_KEY_PATH='" + quoted + "/key.pem'", printed().get(6));
    Process shell =
        new ProcessBuilder("sh", "-c", printed().get(6) + "; printf %s \"$RENDEZVOUS_KEY_PATH\"")
            .start();
    assertEquals(key.toString(), new String(shell.getInputStream().readAllBytes(), UTF_8));
    Files.writeString(key, "garbage");
    Files.delete(certificate);
    assertEquals(CheckSettings.REFUSED, run());
    assertEquals(2, refused().size());
    environment.put("MAILBOX_RENDEZVOUS_ENABLED", "false");
    assertEquals(0, run(), "of no interest while the door is off");
  }
}
