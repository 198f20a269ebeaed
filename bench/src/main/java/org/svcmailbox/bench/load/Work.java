package org.svcmailbox.bench.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kind of work in a load. */
public enum Work {
  /** SEND in a closed loop. */
  SEND("SEND"),
  /** RECV and acknowledgement in a closed loop. */
  RECV("RECV + ACK"),
  /** SEND at a fixed rate. */
  RATE("SEND at a fixed rate");

  private final String title;

  Work(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Its name on the command line and among figures. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses a {@link #key}.
   *
   * @throws IllegalArgumentException if there is no such work
   */
  public static Work of(String key) {
    for (Work work : values()) {
      if (work.key().equals(key)) {
        return work;
      }
    }
    String known = Arrays.stream(values()).map(Work::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("--works are " + known + ", not " + key);
  }
}
