package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.BrokerMember;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.TestCertificate;

/**
 * A broker that knows the service by its certificate alone. Each trouble with a certificate has one
 * line in the log that names the setting, makes the service unready, loses nothing, and ends once a
 * file is exchanged.
 */
@SuppressWarnings("NullAway.Init")
@Tag("nightly")
class BrokerTlsIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TOPIC = "tls";

  /** With what means something in a URL, to a shell, to sed and in XML. */
  private static final String PASSWORD = "a&b;c%25 \"d\" 'e' \\ # | <";

  private final Path directory = Path.of("target", "it", "broker-tls").toAbsolutePath();
  private final Path keyStore = directory.resolve("key.p12");
  private final Path keyPassword = directory.resolve("key-password");
  private final Path trustStore = directory.resolve("trust.pem");
  private TestCertificate brokers;
  private TestCertificate services;
  private TestCertificate strangers;
  private BrokerMember broker;
  private MailboxServer server;
  private MailboxClient anonymous;

  @BeforeEach
  void layOut() throws Exception {
    Trees.delete(directory);
    brokers = TestCertificate.in(directory.resolve("brokers"), PASSWORD);
    services = TestCertificate.in(directory.resolve("services"), PASSWORD);
    strangers = TestCertificate.in(directory.resolve("strangers"), PASSWORD);
    broker =
        BrokerMember.layOut(
            directory.resolve("broker"),
            brokers,
            Map.of(),
            "--truststore",
            services.certificatePem().toString(),
            "--client",
            "CN=localhost");
    broker.start();
    Files.copy(strangers.keystore(), keyStore);
    Files.copy(strangers.certificatePem(), trustStore);
    Files.writeString(keyPassword, "wrong");
    server =
        MailboxServer.prepare(
            "broker-tls",
            Map.of(
                "MAILBOX_BROKER_URL", broker.url() + "?sslEnabled=true",
                "MAILBOX_BROKER_KEY_STORE", keyStore.toString(),
                "MAILBOX_BROKER_KEY_STORE_PASSWORD_FILE", keyPassword.toString(),
                "MAILBOX_BROKER_TRUST_STORE", trustStore.toString()));
    server.launch();
    anonymous = new MailboxClient(new CallTarget(server.uri(), () -> null));
  }

  @AfterEach
  void end() {
    server.close();
    broker.close();
  }

  @Test
  void eachTroubleWithACertificateIsNamedAndMendedWithoutARestart() throws Exception {
    awaitTrouble("mailbox.broker.key_store cannot be used: ");
    Files.writeString(keyPassword, PASSWORD);
    awaitTrouble("(mailbox.broker.trust_store) has a certificate that is not trusted: ");
    exchange(brokers.certificatePem(), trustStore);
    awaitTrouble("(mailbox.broker.key_store) refuses the certificate or asks for one: ");
    exchange(services.keystore(), keyStore);
    awaitReady();
    MailboxClient client = new MailboxClient(server.target());
    client.putTopic(TOPIC, Fields.of("ready_shards", 1)).expect(201);
    String msgId = client.send(TOPIC, "1", new byte[] {7}).expect(200).msgId();

    Path good = Files.copy(brokers.keystore(), directory.resolve("good.p12"));
    broker.tellToEnd();
    broker.awaitEnd();
    exchange(brokers.expired().keystore(), brokers.keystore());
    broker.start();
    awaitTrouble("(mailbox.broker.trust_store) has a certificate that has expired: ");
    client.send(TOPIC, "2", new byte[1]).expect(503);
    exchange(good, brokers.keystore());
    awaitReady();
    Message message = client.recv(TOPIC).expect(200).message();
    assertEquals(msgId, message.msgId());
    client.ack(message).expect(200);
    assertEquals(0, server.terminate(), "exit code");
  }

  /** At once, as a reader may come at any time. */
  private void exchange(Path from, Path to) throws IOException {
    Path copy = Files.copy(from, to.resolveSibling("new"), StandardCopyOption.REPLACE_EXISTING);
    Files.move(copy, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void awaitTrouble(String text) {
    Deadline.in(SOON).await(() -> !troubles(text).isEmpty(), () -> text);
    assertEquals(1, troubles(text).size(), () -> troubles(text).toString());
    Deadline.in(SOON).await(this::isBrokerDown, () -> "the broker down");
  }

  private List<String> troubles(String text) {
    return server.outputLines().stream()
        .filter(line -> line.contains("BrokerState") && line.contains(text))
        .toList();
  }

  private boolean isBrokerDown() {
    try {
      MailboxAnswer readiness = anonymous.get("/readyz");
      return readiness.status() == 503
          && StreamSupport.stream(readiness.json().path("checks").spliterator(), false)
              .anyMatch(
                  check ->
                      check.path("name").asText().equals("broker")
                          && check.path("status").asText().equals("DOWN"));
    } catch (IOException e) {
      // Not listening yet.
      return false;
    }
  }

  private void awaitReady() {
    Deadline.in(SOON).await(() -> anonymous.get("/readyz").status() == 200, () -> "readiness");
  }
}
