package org.svcmailbox.outbox.publish;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.OutboxEvent;

/** One event on its way to its topics, with their answers. */
final class Attempt {
  final OutboxEvent event;
  final EventSubject subject;
  private final List<String> topics;
  private final List<String> accepted = new ArrayList<>();
  private final Map<String, PublishException> failures = new LinkedHashMap<>();

  /**
   * @param topics those that are to answer
   */
  Attempt(OutboxEvent event, EventSubject subject, List<String> topics) {
    this.event = event;
    this.subject = subject;
    this.topics = topics;
  }

  void accepted(String topic) {
    accepted.add(topic);
  }

  void failed(String topic, PublishException why) {
    failures.put(topic, why);
  }

  boolean isAnswered() {
    return accepted.size() + failures.size() == topics.size();
  }

  List<String> unanswered() {
    return topics.stream()
        .filter(topic -> !accepted.contains(topic) && !failures.containsKey(topic))
        .toList();
  }

  boolean isPublished() {
    return failures.isEmpty();
  }

  List<String> acceptedBy() {
    return accepted;
  }

  /** The first permanent refusal. */
  Optional<PublishException> refusal() {
    return failures.values().stream().filter(why -> why.refusal().isPresent()).findFirst();
  }

  /** Each failure with its topic, for an operator. */
  String error() {
    StringBuilder error = new StringBuilder();
    failures.forEach(
        (topic, why) ->
            error
                .append(error.isEmpty() ? "" : "; ")
                .append(topic)
                .append(": ")
                .append(why.getMessage()));
    return error.toString();
  }
}
