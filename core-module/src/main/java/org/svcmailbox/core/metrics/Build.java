package org.svcmailbox.core.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Properties;

/** The build that runs, and since when. */
public final class Build {
  private static final Properties FILE = read();

  public static final String VERSION = FILE.getProperty("version");

  /** The first twelve digits of the commit; {@code unknown} in a build without a repository. */
  public static final String REVISION = FILE.getProperty("revision");

  /** When the process began. */
  public static final Instant STARTED_AT =
      Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

  private Build() {}

  private static Properties read() {
    Properties properties = new Properties();
    try (InputStream file = Build.class.getResourceAsStream("version.properties")) {
      properties.load(file);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Gauges that name the build and its start.
   *
   * @param server name and version of the server that it runs on
   */
  public static List<Metric> metrics(String server) {
    return List.of(
        Family.MAILBOX_BUILD_INFO.of(() -> 1, VERSION, REVISION, server),
        Family.MAILBOX_START_TIME_SECONDS.of(() -> STARTED_AT.getEpochSecond()));
  }
}
