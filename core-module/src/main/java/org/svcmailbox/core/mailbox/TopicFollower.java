package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.MapFollower;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.supervision.OutageReasons;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/**
 * Takes over changes of topics that other nodes made, with a thread of its own: a change that is
 * being made here may hold it up. One thread takes turns; any thread may read.
 */
final class TopicFollower {
  private static final Logger LOG = System.getLogger(TopicFollower.class.getName());

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final RegularThread thread;

  private volatile long seen;
  private final OutageReasons outage = new OutageReasons();

  TopicFollower(TopicDirectory topics, WorkerPool workers) {
    this.topics = topics;
    this.workers = workers;
    this.thread = new RegularThread("mailbox-topics", "topics", MapFollower.EVERY, this::turn);
  }

  RegularThread thread() {
    return thread;
  }

  /** The version of topics that no worker of this process is behind. */
  long seen() {
    return seen;
  }

  /** Does what is due, once. */
  void turn() {
    try {
      follow();
      if (outage.end()) {
        LOG.log(Level.INFO, "Changes of topics by other nodes are seen again");
      }
    } catch (UnavailableException e) {
      if (outage.add(String.valueOf(e.getMessage()))) {
        LOG.log(
            Level.WARNING, "Changes of topics by other nodes are not seen: {0}", e.getMessage());
      }
    }
  }

  private void follow() {
    topics.follow();
    long version = topics.version();
    Set<TopicName> stale = topics.takeStale();
    try {
      refresh(stale);
    } catch (UnavailableException e) {
      topics.stayStale(stale);
      throw e;
    }
    seen = version;
  }

  /** Returns when no worker uses what was before any more. */
  private void refresh(Set<TopicName> stale) {
    if (!stale.isEmpty()) {
      WorkerReplies.awaitUnlessAway(
          workers.<@Nullable Void>admin(
              admin -> {
                stale.forEach(admin::refresh);
                return null;
              }));
    }
  }
}
