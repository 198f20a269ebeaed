package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.settings.ServiceSetting;
import org.svcmailbox.it.server.BuiltDistribution;

/**
 * The Dockerfile and the systemd unit, as far as they can be checked without a daemon to run them:
 * what they name is in the archive.
 */
class DeploymentFilesIT {
  private static final Path CONFIG = Path.of("..", "config");
  private static final String INSTALLED = "/opt/mailbox/";

  private final BuiltDistribution distribution = BuiltDistribution.built();
  private final String dockerfile = Files.readString(CONFIG.resolve("container/Dockerfile"));
  private final String unit = Files.readString(CONFIG.resolve("systemd/mailbox.service"));

  private final String brokersUnit =
      Files.readString(CONFIG.resolve("systemd/mailbox-broker.service"));

  DeploymentFilesIT() throws IOException {}

  @Test
  void theImageHasABaseThatIsNamed() {
    String base = only("FROM (\\S+)", dockerfile);
    assertTrue(base.matches("[a-z/-]+:\\d+[a-z0-9._-]+"), base);
  }

  @Test
  void theImageAddsTheArchiveThatTheBuildMakes() {
    String version = distribution.name().substring("mailbox-server-".length());
    String added = only("ADD (\\S+) /opt/", dockerfile).replace("${VERSION}", version);
    assertEquals(distribution.name() + ".tar.gz", added);
    assertEquals("mailbox-server-${VERSION}", only("ln -s (\\S+) /opt/mailbox ", dockerfile));
  }

  @Test
  void whatIsStartedIsInTheArchive() {
    assertIsInTheArchive(only("ENTRYPOINT \\[\"([^\"]+)\"\\]", dockerfile));
    assertIsInTheArchive(only("ExecStart=(\\S+)", unit));
    assertIsInTheArchive(only("ExecStart=(\\S+)", brokersUnit));
  }

  @Test
  void bothRunForAUserOfTheirOwnAndKeepTheDataOutside() {
    assertEquals("mailbox", only("USER (\\S+)", dockerfile));
    assertEquals("mailbox", only("User=(\\S+)", unit));
    assertEquals(
        only("VOLUME (\\S+)", dockerfile), only("MAILBOX_DATA_DIR=(\\S+) \\\\", dockerfile));
    assertEquals("%S/" + only("StateDirectory=(\\S+)", unit), only("_DATA_DIR=(\\S+)", unit));
    assertEquals("%L/" + only("LogsDirectory=(\\S+)", unit), only("_LOG_DIR=(\\S+)", unit));
  }

  @Test
  void aStopIsASignalAndLeavesTimeToDrain() {
    assertEquals("SIGTERM", only("STOPSIGNAL (\\S+)", dockerfile));
    Duration allowed = Duration.ofSeconds(Long.parseLong(only("TimeoutStopSec=(\\d+)", unit)));
    Duration drain =
        Duration.parse("PT" + ServiceSetting.DRAIN_DEADLINE.bounds().replaceFirst(".* ", ""));
    assertTrue(allowed.compareTo(drain.multipliedBy(2)) > 0, allowed::toString);
  }

  private void assertIsInTheArchive(String installed) {
    assertTrue(installed.startsWith(INSTALLED), installed);
    String entry = distribution.name() + "/" + installed.substring(INSTALLED.length());
    assertTrue(distribution.zipFiles().contains(entry), entry);
  }

  private static String only(String pattern, String text) {
    List<String> found =
        Pattern.compile("(?m)^(?!#).*?" + pattern)
            .matcher(text)
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertEquals(1, found.size(), () -> pattern + ": " + found);
    return found.get(0);
  }
}
