package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker's script closes its directories; a stub stands for the JVM. */
@SuppressWarnings("NullAway.Init")
class BrokerScriptTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final String HASH = "Encoded password: \"1024:AA:BB\"";

  @TempDir private Path directory;

  private Path broker;
  private Path store;

  @BeforeEach
  void layOut() throws IOException {
    broker = directory.resolve("broker");
    store = directory.resolve("store");
    for (String name : List.of("bin", "artemis")) {
      Path copies = Files.createDirectory(directory.resolve(name));
      try (var files = Files.list(CONFIG.resolve(name))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, copies.resolve(file.getFileName()));
        }
      }
    }
    write("artemis/lib/mailbox-broker.jar", "");
    write("home/lib/artemis-boot.jar", "");
    write(server("2.44.0"), "");
    write("jdk/bin/java", "#!/bin/sh\numask\necho pid=$$\necho '" + HASH + "'\n");
    write("jdk/bin/keytool", "#!/bin/sh\necho PrivateKeyEntry\n");
    for (String name : List.of("java", "keytool")) {
      assertTrue(directory.resolve("jdk/bin").resolve(name).toFile().setExecutable(true));
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Both outputs of a command that ends with a code. */
  private String said(List<String> command, int code) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .putAll(
            Map.of(
                "ARTEMIS_HOME",
                directory.resolve("home").toString(),
                "JAVA_HOME",
                directory.resolve("jdk").toString(),
                "MAILBOX_BROKER_PASSWORD",
                "secret",
                "MAILBOX_BROKER_TLS_PASSWORD",
                "secret"));
    return Scripts.said(builder, code);
  }

  private String script(int code, String command, String... options) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "sh",
                directory.resolve("bin/mailbox-broker").toString(),
                command,
                broker.toString()));
    all.addAll(List.of(options));
    return said(all, code);
  }

  @Test
  void anAddressThatOthersReachNeedsTlsAndCertificatesOfClients() throws IOException {
    write("key.p12", "");
    write("ca.pem", "-----BEGIN CERTIFICATE-----\n");
    String key = directory.resolve("key.p12").toString();
    List<String> all = List.of("--bind", "0.0.0.0:61616", "--keystore", key, "--truststore");
    String none = script(1, "create", "--bind", "0.0.0.0:61616");
    assertTrue(none.contains("needs --keystore"), none);
    String half = script(1, "create", all.subList(0, 4).toArray(String[]::new));
    assertTrue(half.contains("needs --truststore"), half);
    List<String> whole = new ArrayList<>(all);
    whole.add(directory.resolve("ca.pem").toString());
    String unused = script(0, "create", whole.toArray(String[]::new));
    String settings = Files.readString(broker.resolve("etc/broker.xml"));
    assertTrue(settings.contains("needClientAuth=true"), settings);
  }

  private static String server(String release) {
    return "home/lib/artemis-server-" + release + ".jar";
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.44.3", "2.52.0", "2.56.0", "2.60.0", "2.100.0"})
  void aReleaseThatTheServiceTakesIsTaken(String release) throws IOException {
    Files.move(directory.resolve(server("2.44.0")), directory.resolve(server(release)));
    String unused = script(0, "create");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.43.0", "2.45.0", "2.50.0", "2.51.0", "3.52.0"})
  void anotherReleaseIsToldByName(String release) throws IOException {
    Files.move(directory.resolve(server("2.44.0")), directory.resolve(server(release)));
    String said = script(1, "create");
    assertTrue(said.contains("has Artemis " + release + ": take 2.52"), said);
  }

  @Test
  void twoReleasesInOneDirectoryAreRefused() throws IOException {
    write(server("2.52.0"), "");
    String said = script(1, "create");
    assertTrue(said.contains("several releases"), said);
  }

  @Test
  void aCertificateOfTheBrokerIsEnoughOnLoopback() throws IOException {
    write("key.p12", "");
    String key = directory.resolve("key.p12").toString();
    String unused = script(0, "create", "--keystore", key);
  }

  @Test
  void nobodyElseReadsABrokerOrItsStore() throws IOException {
    Files.createDirectory(store);
    String unused = script(0, "create", "--store", store.toString());
    for (Path each : List.of(broker, store)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    String said = script(0, "run");
    assertTrue(said.contains("0077"), said);
    for (Path each : List.of(broker, store)) {
      assertTrue(said.contains("other users could enter " + each), said);
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
    }
  }

  @Test
  void eachRunRenewsTheFileWithItsProcess() throws IOException {
    String unused = script(0, "create", "--store", store.toString());
    Path file = broker.resolve("pid");
    Files.writeString(file, "1\n");
    for (int run = 0; run < 2; run++) {
      String said = script(0, "run");
      assertTrue(said.contains("pid=" + Files.readString(file)), said);
    }
  }
}
