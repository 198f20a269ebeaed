package org.svcmailbox.it.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.svcmailbox.test.files.Trees;

/** An application server that the EAR is laid out in. */
public enum Layout {
  WILDFLY("mailbox.server.home", "server.log", Layout.JAVA_OPTS) {
    @Override
    List<String> configure(Path home, Path directory) {
      Path base = directory.resolve("standalone");
      // Two servers of one layout would keep one history of their configuration.
      Trees.copy(home.resolve("standalone/configuration"), base.resolve("configuration"));
      return List.of("-Djboss.server.base.dir=" + base);
    }

    @Override
    Map<String, String> settings() {
      return Map.of(JAVA_OPTS, MailboxServer.FAST_START);
    }
  },

  /** With a broker of its own beside it. */
  LIBERTY("mailbox.liberty.home", "messages.log", Layout.BROKER_JAVA_OPTS) {
    @Override
    List<String> configure(Path home, Path directory) {
      return List.of();
    }

    @Override
    Map<String, String> settings() {
      return Map.of(
          "MAILBOX_LOCAL_BROKER",
          "true",
          JAVA_OPTS,
          MailboxServer.FAST_START + " -Xms512m -Xmx512m",
          BROKER_JAVA_OPTS,
          MailboxServer.FAST_START + " -Xmx512m");
    }
  };

  /** The system property that names the layout of the servers under test. */
  static final String CHOICE = "mailbox.server";

  /** The directory of everything that servers and brokers under test write. */
  static final Path TESTS = Path.of("target", "it").toAbsolutePath();

  private static final String JAVA_OPTS = "MAILBOX_JAVA_OPTS";
  private static final String BROKER_JAVA_OPTS = "MAILBOX_BROKER_JAVA_OPTS";

  private final String property;
  private final String log;
  private final String brokerOptions;

  Layout(String property, String log, String brokerOptions) {
    this.property = property;
    this.log = log;
    this.brokerOptions = brokerOptions;
  }

  /** The one of the servers under test: WildFly unless {@value #CHOICE} names the other. */
  public static Layout chosen() {
    return valueOf(System.getProperty(CHOICE, WILDFLY.name()).toUpperCase(Locale.ROOT));
  }

  /** Where the build laid it out. */
  Path home() {
    String home = System.getProperty(property);
    if (home == null || !Files.isDirectory(Path.of(home))) {
      throw new IllegalStateException(property + " names no laid-out server: " + home);
    }
    return Path.of(home).toAbsolutePath();
  }

  /** The name of its log file. */
  String log() {
    return log;
  }

  /** The setting with the options of the JVM that the broker runs in. */
  String brokerOptions() {
    return brokerOptions;
  }

  /** Writes what a server needs for itself, and returns the arguments of its start. */
  abstract List<String> configure(Path home, Path directory);

  /** Settings that a test server has without being told. */
  abstract Map<String, String> settings();
}
