package org.svcmailbox.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What contestants are measured with. */
enum Work {
  /** SEND, the next one when the last one is answered. */
  SEND("SEND"),
  /** RECV, and an acknowledgement of what came, likewise. */
  RECV("RECV + ACK"),
  /** SEND when its time has come, however long those before it take. */
  RATE("SEND at a fixed rate");

  private final String title;

  Work(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** As an option names it. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The reverse of {@link #key}.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Work of(String key) {
    for (Work work : values()) {
      if (work.key().equals(key)) {
        return work;
      }
    }
    String known = Arrays.stream(values()).map(Work::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("--works are " + known + ", not " + key);
  }
}
