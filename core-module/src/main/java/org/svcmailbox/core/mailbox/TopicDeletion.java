package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/**
 * Deletes topics. The workers release a topic before its queues are removed. A deletion that has
 * begun is completed later if it fails. Any thread.
 */
final class TopicDeletion {
  private static final Logger LOG = System.getLogger(TopicDeletion.class.getName());

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;

  TopicDeletion(TopicDirectory topics, WorkerPool workers, Limits limits) {
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
  }

  void delete(TopicName name) {
    topics.delete(name, this::letGo);
    forget(name);
  }

  /** Has the workers release a topic that the nodes delete, and forgets it. */
  void release(Topic topic) {
    letGo(topic);
    topics.released(topic);
    forget(topic.name());
  }

  /** Forgets the counters of a topic, unless it was created again. */
  void forget(TopicName name) {
    topics.whileSteady(name, there -> forgetIfGone(name, there));
  }

  private @Nullable Void forgetIfGone(TopicName name, @Nullable Topic there) {
    if (there == null) {
      limits.forget(name);
    }
    return null;
  }

  /** Continues deletions that a failure interrupted. */
  void finishAll() {
    for (TopicName name : topics.unfinished()) {
      try {
        delete(name);
        LOG.log(Level.INFO, "The deletion of {0} has ended", name);
      } catch (UnavailableException e) {
        LOG.log(Level.DEBUG, "The deletion of {0} continues: {1}", name, e.toString());
      } catch (NotFoundException e) {
        LOG.log(Level.DEBUG, "Another process has finished the deletion of {0}", name);
      }
    }
  }

  private void letGo(Topic topic) {
    WorkerReplies.awaitUnlessAway(workers.admin(admin -> admin.drop(topic)));
    // A worker without a session learns of it when it has one again.
    topic.shards().forEach(limits::forget);
  }
}
