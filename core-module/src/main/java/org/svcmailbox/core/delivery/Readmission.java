package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** How dead letters come back among the messages. Any thread. */
public final class Readmission {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Mailbox mailbox;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;

  Readmission(Mailbox mailbox, TopicDirectory topics, WorkerPool workers, Limits limits) {
    this.mailbox = mailbox;
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
  }

  /** Every topic. */
  public List<Topic> topics() {
    return topics.all();
  }

  /** A topic as it is now, if there is one. */
  public Optional<Topic> topic(TopicName name) {
    return topics.find(name);
  }

  /**
   * A topic that messages are sent to, made on the spot where the settings allow it.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  public Topic required(TopicName name) {
    return topics.require(name);
  }

  /** Whether a topic may hold so many messages more. */
  public boolean hasRoom(Topic topic, int more) {
    TopicCounters counters = limits.topics().of(topic.name());
    TopicRetention retention = topic.settings().retention();
    return counters.messages().count() + more <= retention.readyCount()
        && counters.bytes().count() < retention.mostReadyBytes();
  }

  /**
   * Does {@code work} with a topic as it is, null when there is none; until it returns, the topic
   * is neither deleted nor changed.
   */
  public <T extends @Nullable Object> T whileSteady(
      TopicName topic, Function<@Nullable Topic, T> work) {
    return topics.whileSteady(topic, work);
  }

  /** Messages have come into shards that no worker put there: their transaction is on disk. */
  public void arrived(Collection<ShardId> shards) {
    for (ShardId shard : shards) {
      // Not waited for: a worker that is away counts everything anew when it is back.
      CompletableFuture<?> unused = workers.admin(shard, admin -> admin.arrived(shard));
    }
  }

  /** A topic has fewer dead letters. */
  public void lettersLeft(TopicName topic) {
    limits.topics().of(topic).deadLettersChanged();
  }

  /**
   * Sends a new message in the place of a dead letter: one transaction of the broker enqueues it
   * and removes the letter.
   *
   * @return as of any SEND; refused as unavailable when the letter is not at hand. A duplicate
   *     leaves the letter where it is.
   */
  public CompletionStage<SendOutcome> send(SendRequest request, Origin origin) {
    return mailbox.readmit(request, origin);
  }

  /**
   * Waits for what comes of a {@link #send}.
   *
   * @throws UnavailableException when no worker answers in time; nobody knows what becomes of it
   */
  public static SendOutcome outcome(CompletionStage<SendOutcome> sent) {
    try {
      return sent.toCompletableFuture().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new UnavailableException("a shard worker did not answer", e);
    }
  }
}
