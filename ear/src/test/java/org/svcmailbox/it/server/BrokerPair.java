package org.svcmailbox.it.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.svcmailbox.test.files.Trees;

/**
 * Two brokers on one store, laid out and run by the script that operators use, from the zip that
 * the system property {@code mailbox.artemis.zip} names.
 */
public final class BrokerPair implements AutoCloseable {
  private static final String USER = "mailbox";
  private static final String PASSWORD = "of a test's pair";

  private final List<BrokerMember> members;

  private BrokerPair(List<BrokerMember> members) {
    this.members = members;
  }

  /**
   * Starts one with an empty store, and returns when the first serves and the second waits.
   *
   * @param name of its directory under {@code target/it}
   */
  public static BrokerPair start(String name) {
    Path tests = Path.of(System.getProperty("mailbox.server.home")).resolveSibling("it");
    Path directory = tests.resolve(name).toAbsolutePath();
    Trees.delete(directory);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            System.getProperty("java.home"),
            "XDG_CACHE_HOME",
            tests.toAbsolutePath().resolve("cache").toString(),
            "MAILBOX_ARTEMIS_ZIP",
            Path.of(System.getProperty("mailbox.artemis.zip")).toAbsolutePath().toString(),
            "MAILBOX_BROKER_PASSWORD",
            PASSWORD,
            "MAILBOX_BROKER_JAVA_OPTS",
            "-Xms128m -Xmx768m " + MailboxServer.FAST_START);
    Path store = directory.resolve("store");
    BrokerPair pair =
        new BrokerPair(
            List.of(
                new BrokerMember(directory.resolve("a"), store, environment),
                new BrokerMember(directory.resolve("b"), store, environment)));
    pair.members.forEach(BrokerMember::start);
    return pair;
  }

  /** The environment variables that make a mailbox server use it. */
  public Map<String, String> settings() {
    return Map.of(
        "MAILBOX_BROKER_URL",
        "(" + members.get(0).url() + "," + members.get(1).url() + ")",
        "MAILBOX_BROKER_USER",
        USER,
        "MAILBOX_BROKER_PASSWORD",
        PASSWORD);
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
