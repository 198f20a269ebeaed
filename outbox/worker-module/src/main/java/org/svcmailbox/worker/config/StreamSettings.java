package org.svcmailbox.worker.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.route.SubjectFilter;

/**
 * A stream: subjects, and how long their messages are kept.
 *
 * @param name the name by which consumers refer to it
 * @param subjects the subjects of its events
 * @param maxAge how long a message waits before it becomes a dead letter
 * @param maxBytes the most bytes of a topic's waiting messages; null means unlimited
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
