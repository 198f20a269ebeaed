package org.svcmailbox.web.event;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicChoice;

/** The topics that a stream shows. Streams with equal views share their events. */
sealed interface EventView {
  /** The first topics of a choice. */
  record Chosen(TopicChoice choice) implements EventView {
    @Override
    public Overview of(TopicAdmin topics, Caller caller) {
      return topics.list(caller, choice);
    }

    @Override
    public @Nullable TopicName topic() {
      return null;
    }
  }

  /** One topic. */
  record One(TopicName topic) implements EventView {
    @Override
    public Overview of(TopicAdmin topics, Caller caller) {
      return topics.list(caller, topic);
    }
  }

  Overview of(TopicAdmin topics, Caller caller);

  /** The topic whose right is enough; null if it takes a right for all topics. */
  @Nullable TopicName topic();

  /** Throws {@code DeniedException} if the caller may not see this. */
  default void require(Caller caller) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, topic());
  }
}
