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
  public static final String VERSION = version();

  /** When the process began. */
  public static final Instant STARTED_AT =
      Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

  private Build() {}

  private static String version() {
    Properties properties = new Properties();
    try (InputStream file = Build.class.getResourceAsStream("version.properties")) {
      properties.load(file);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<Metric> metrics() {
    return List.of(Family.MAILBOX_BUILD_INFO.of(() -> 1, VERSION));
  }
}
