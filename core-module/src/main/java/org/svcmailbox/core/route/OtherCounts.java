package org.svcmailbox.core.route;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.TopicFigures;

/** The counts that other nodes last told. Answers come from memory. Any thread. */
public interface OtherCounts {
  /** There are no other nodes. */
  OtherCounts NONE =
      new OtherCounts() {
        @Override
        public TopicFigures of(TopicName topic) {
          return TopicFigures.NONE;
        }

        @Override
        public @Nullable CountedNodes counted() {
          return null;
        }
      };

  /** The figures of a topic on the other nodes together. */
  TopicFigures of(TopicName topic);

  /** The nodes that these figures are from, with this one; null if it is alone. */
  @Nullable CountedNodes counted();
}
