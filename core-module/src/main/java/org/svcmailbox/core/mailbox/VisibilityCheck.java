package org.svcmailbox.core.mailbox;

import java.time.Duration;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;
import org.svcmailbox.core.topic.Topic;

/** The visibility timeouts that calls may ask for. */
record VisibilityCheck(Visibility limits) {
  /** Checks what an EXTEND asks for; its lease has a limit of its own. */
  void require(Duration asked) {
    require(asked, limits.max());
  }

  /** Checks what a RECV asks for, which the topic limits too. */
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
