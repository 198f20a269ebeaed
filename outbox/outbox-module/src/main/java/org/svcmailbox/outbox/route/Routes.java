package org.svcmailbox.outbox.route;

import java.util.List;
import org.svcmailbox.outbox.event.EventSubject;

/** Finds the topics that an event is sent to. The answer for a subject never changes. */
@FunctionalInterface
public interface Routes {
  /** The topics of all consumers that subscribe to a subject, without duplicates; possibly none. */
  List<String> topics(EventSubject subject);
}
