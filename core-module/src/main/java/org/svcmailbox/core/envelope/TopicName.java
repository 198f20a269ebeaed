package org.svcmailbox.core.envelope;

import org.svcmailbox.core.problem.SchemaException;

/** A topic's name: 1 to 255 of {@code A-Z a-z 0-9 . _ -}, case-sensitive. */
public record TopicName(String value) implements Comparable<TopicName> {
  public static final int MAX_LENGTH = 255;

  public TopicName {
    if (!Text.isName(value, MAX_LENGTH, "._-")) {
      throw new SchemaException("topic", "must be 1 to 255 characters of A-Z a-z 0-9 . _ -");
    }
  }

  /**
   * Whether this is {@code .} or {@code ..}, which a URL path cannot name. No new topic has such a
   * name; an existing one can still be emptied.
   */
  public boolean isDots() {
    return value.equals(".") || value.equals("..");
  }

  /** The part before the first dot; empty for a name without one. */
  public String namespace() {
    return value.substring(0, Math.max(0, value.indexOf('.')));
  }

  @Override
  public int compareTo(TopicName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
