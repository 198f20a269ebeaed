package org.svcmailbox.it.drill;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.it.client.Fields;

/**
 * A topic under load.
 *
 * @param maxAttempts high where no message may die, low where some are to
 */
record LoadTopic(String name, int shards, int maxAttempts) {
  /** How long a key stays taken: longer than any drill runs. */
  static final Duration WINDOW = Duration.ofHours(12);

  static final LoadTopic WIDE = new LoadTopic("wide", 4, 1_000);
  static final LoadTopic NARROW = new LoadTopic("narrow", 1, 1_000);
  static final LoadTopic DEADLY = new LoadTopic("deadly", 2, 3);
  static final List<LoadTopic> ALL = List.of(WIDE, NARROW, DEADLY);

  /** Its settings: short backoffs, so that what is refused comes back within the run. */
  Fields settings() {
    return Fields.of("ready_shards", shards)
        .with("max_attempts", maxAttempts)
        .with("t_replay", WINDOW.toHours() + "h")
        .with("backoff_base", "20ms")
        .with("backoff_max", "200ms");
  }
}
