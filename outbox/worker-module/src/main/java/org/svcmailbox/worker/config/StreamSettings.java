package org.svcmailbox.worker.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.route.SubjectFilter;

/**
 * A stream: subjects, and how long their messages are kept.
 *
 * @param name what consumers name it by
 * @param subjects the subjects of its events
 * @param maxAge how long a message waits before it becomes a dead letter
 * @param maxBytes how much the waiting messages of a topic may take, in bytes; null for any number
 * @param deadLetterAge how long dead letters are kept
 */
public record StreamSettings(
    String name,
    List<SubjectFilter> subjects,
    Duration maxAge,
    @Nullable Long maxBytes,
    Duration deadLetterAge) {
  boolean has(String subject) {
    return subjects.stream().anyMatch(filter -> filter.matches(subject));
  }
}
