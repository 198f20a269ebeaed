package org.svcmailbox.outbox.event;

import static java.util.Objects.requireNonNull;

/**
 * The JSON of an event, as the database keeps it. PostgreSQL may order and space it differently
 * from the text that was recorded.
 *
 * @param json the text; {@link EventRules} checks it, because a row inserted by SQL can hold any
 */
public record Payload(String json) {
  public Payload {
    requireNonNull(json, "json");
  }

  /** Names the size, not the content. */
  @Override
  public String toString() {
    return "Payload[" + json.length() + " characters]";
  }
}
