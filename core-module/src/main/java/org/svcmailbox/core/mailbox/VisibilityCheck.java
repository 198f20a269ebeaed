package org.svcmailbox.core.mailbox;

import java.time.Duration;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;
import org.svcmailbox.core.topic.Topic;

/** Checks the visibility timeouts that calls request. */
record VisibilityCheck(Visibility limits) {
  /** Checks the request of an EXTEND, whose lease also has its own limit. */
  void require(Duration asked) {
    require(asked, limits.max());
  }

  /** Checks the request of a RECV, which the topic also limits. */
  void require(Duration asked, Topic topic) {
    Duration most = topic.settings().retention().longestLease();
    require(asked, most.compareTo(limits.max()) < 0 ? most : limits.max());
  }

  private void require(Duration asked, Duration max) {
    Duration min = limits.min();
    if (asked.compareTo(min) < 0 || asked.compareTo(max) > 0) {
      throw new SchemaException(
          "visibility_ms", "must be between " + min.toMillis() + " and " + max.toMillis());
    }
  }
}
