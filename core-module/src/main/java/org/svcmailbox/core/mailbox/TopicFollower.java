package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.MapFollower;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.supervision.OutageReasons;
import org.svcmailbox.core.topic.Topic;
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
  private final TopicDeletion deletion;
  private final Supplier<Set<Integer>> unwritten;
  private final RegularThread thread;

  /** Ids of deleted topics that batches named which the database may lack. */
  private final Set<Integer> pending = new HashSet<>();

  private volatile long seen;
  private final OutageReasons outage = new OutageReasons();

  /**
   * @param unwritten the ids of topics of batches that the database may lack
   */
  TopicFollower(
      TopicDirectory topics,
      WorkerPool workers,
      TopicDeletion deletion,
      Supplier<Set<Integer>> unwritten) {
    this.topics = topics;
    this.workers = workers;
    this.deletion = deletion;
    this.unwritten = unwritten;
    this.thread = new RegularThread("mailbox-topics", "topics", MapFollower.EVERY, this::turn);
  }

  RegularThread thread() {
    return thread;
  }

  /**
   * The version of topics that no worker of this process is behind. The database has all that they
   * wrote of topics that were deleted up to it.
   */
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
    pending.retainAll(unwritten.get());
    if (pending.isEmpty()) {
      seen = version;
    }
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
      stale.forEach(name -> topics.ending(name).ifPresent(this::release));
    }
  }

  private void release(Topic topic) {
    deletion.release(topic);
    pending.add(topic.id());
  }
}
