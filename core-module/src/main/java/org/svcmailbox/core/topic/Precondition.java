package org.svcmailbox.core.topic;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.PreconditionException;

/** Decides whether a topic is as a caller requires before its settings change. Pure. */
@FunctionalInterface
public interface Precondition {
  /** Always holds. */
  Precondition NONE = topic -> {};

  /** The topic exists. */
  Precondition PRESENT =
      topic -> {
        if (topic == null) {
          throw new PreconditionException("there is no such topic");
        }
      };

  /** The topic does not exist. */
  Precondition ABSENT =
      topic -> {
        if (topic != null) {
          throw new PreconditionException("there is a topic " + topic.name() + " already");
        }
      };

  /** The topic exists, and its {@link Topic#version} is one of these. */
  static Precondition oneOf(Set<String> versions) {
    return topic -> {
      PRESENT.check(topic);
      if (topic != null && !versions.contains(topic.version())) {
        throw new PreconditionException(
            "the settings of "
                + topic.name()
                + " have changed: their version is "
                + topic.version());
      }
    };
  }

  /**
   * Throws {@link PreconditionException} if it does not hold.
   *
   * @param topic null if there is none
   */
  void check(@Nullable Topic topic);
}
