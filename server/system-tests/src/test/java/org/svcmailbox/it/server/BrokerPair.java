package org.svcmailbox.it.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.TestCertificate;

/** Two brokers on one store, with TLS. */
public final class BrokerPair implements AutoCloseable {
  private static final String USER = "mailbox";
  private static final String PASSWORD = "of a test's pair";

  private final List<BrokerMember> members;
  private final Path trusted;

  private BrokerPair(List<BrokerMember> members, Path trusted) {
    this.members = members;
    this.trusted = trusted;
  }

  /**
   * Lays one out with an empty store.
   *
   * @param name of its directory under {@code target/it}
   */
  public static BrokerPair layOut(String name) {
    return laidOut(empty(name), Map.of());
  }

  /** The same, and one of the two is of a later release. */
  public static BrokerPair layOutTwoReleases(String name) {
    Path directory = empty(name);
    Path home = LaterArtemis.layOut(directory.resolve("home"));
    return laidOut(directory, Map.of("ARTEMIS_HOME", home.toString()));
  }

  private static Path empty(String name) {
    Path directory = Layout.TESTS.resolve(name);
    Trees.delete(directory);
    return directory;
  }

  /** Starts both; returns when the first serves and the second waits. */
  public void start() {
    members.forEach(BrokerMember::start);
  }

  private static BrokerPair laidOut(Path directory, Map<String, String> second) {
    try {
      Files.createDirectories(directory);
      TestCertificate shown =
          TestCertificate.in(directory.resolve("certificate"), "a&b;c%25 \"d\" 'e' \\ # +");
      return new BrokerPair(
          List.of(member(directory, "a", shown, Map.of()), member(directory, "b", shown, second)),
          shown.certificatePem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate cannot be used", e);
    }
  }

  private static BrokerMember member(
      Path directory, String name, TestCertificate shown, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("MAILBOX_BROKER_PASSWORD", PASSWORD);
    return BrokerMember.layOut(
        directory.resolve(name), shown, all, "--store", directory.resolve("store").toString());
  }

  /** The environment variables that make a mailbox server use it. */
  public Map<String, String> settings() {
    return Map.of(
        "MAILBOX_BROKER_URL",
        "(" + members.get(0).url() + "," + members.get(1).url() + ")?sslEnabled=true",
        "MAILBOX_BROKER_USER",
        USER,
        "MAILBOX_BROKER_PASSWORD",
        PASSWORD,
        "MAILBOX_BROKER_TRUST_STORE",
        trusted.toString());
  }

  /** The one that serves, while both run. */
  public BrokerMember serving() {
    return members.stream().filter(BrokerMember::serves).findFirst().orElseThrow();
  }

  /** The one that waits, while both run. */
  public BrokerMember waiting() {
    return members.stream().filter(member -> !member.serves()).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    members.forEach(BrokerMember::close);
  }
}
