package org.svcmailbox.core.mailbox;

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
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/** The topics as a target of redriven letters. Any thread. */
public final class RedriveTarget {
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

  private final SendIntake sends;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;

  RedriveTarget(SendIntake sends, TopicDirectory topics, WorkerPool workers, Limits limits) {
    this.sends = sends;
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
  }

  public List<Topic> topics() {
    return topics.all();
  }

  public Optional<Topic> topic(TopicName name) {
    return topics.find(name);
  }

  /**
   * Finds a topic for sends; creates it if the settings allow.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException if there is none
   */
  public Topic requireTopic(TopicName name) {
    return topics.require(name);
  }

  /** Throws as {@link #requireTopic} does if the topic is missing and may not be created. */
  public void requireReachable(TopicName name) {
    topics.requireReachable(name);
  }

  /** Whether a topic may hold {@code more} messages. */
  public boolean hasRoom(Topic topic, int more) {
    TopicCounters counters = limits.topics().of(topic.name());
    TopicRetention retention = topic.settings().retention();
    return counters.messages().count() + more <= retention.readyCount()
        && counters.bytes().count() < retention.mostReadyBytes();
  }

  /**
   * Runs {@code work} while the topic is neither deleted nor changed; the topic is null if there is
   * none.
   */
  public <T extends @Nullable Object> T whileSteady(
      TopicName topic, Function<@Nullable Topic, T> work) {
    return topics.whileSteady(topic, work);
  }

  /**
   * Makes sure that letters which a worker may have taken have either left their queue or are back
   * in it.
   *
   * @throws UnavailableException while a worker's transaction may be open
   */
  public void requireResolved() {
    if (!workers.isResolved()) {
      throw new UnavailableException("an earlier transaction of a shard worker may be open");
    }
  }

  /** Announces committed messages that bypassed the shards' workers. */
  public void arrived(Collection<ShardId> shards) {
    for (ShardId shard : shards) {
      // Not waited for: a worker without a session recounts when it is back.
      CompletableFuture<?> unused = workers.admin(shard, admin -> admin.arrived(shard));
    }
  }

  /** Announces that dead letters of a topic were removed. */
  public void lettersRemoved(TopicName topic) {
    limits.topics().of(topic).deadLettersChanged();
  }

  /**
   * Sends a new message and removes its letter in one transaction of the broker.
   *
   * @return as of any SEND; a refusal if the letter is gone or held by others. A duplicate leaves
   *     the letter in place.
   */
  public CompletionStage<SendOutcome> send(SendRequest request, SourceLetter letter) {
    return sends.redrive(request, letter);
  }

  /**
   * Waits for the outcome of a {@link #send}.
   *
   * @throws UnavailableException if the worker does not answer in time; the outcome is unknown
   */
  public static SendOutcome outcome(CompletionStage<SendOutcome> sent) {
    try {
      return sent.toCompletableFuture()
          .orTimeout(SEND_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      throw new UnavailableException("a shard worker did not answer", e);
    }
  }
}
