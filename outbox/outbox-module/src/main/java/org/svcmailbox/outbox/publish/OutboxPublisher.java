package org.svcmailbox.outbox.publish;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.loop.LoopLife;
import org.svcmailbox.outbox.route.Routes;

/**
 * Publishes the events of one database, oldest first.
 *
 * <p>{@link #step} does one round: claim, send, mark, commit. The host gives {@link #run} a thread,
 * and ends it with {@link #close}. Several publishers share a database where {@link OutboxStore}
 * allows it.
 */
public final class OutboxPublisher implements Runnable, AutoCloseable {
  private static final Logger LOG = System.getLogger(OutboxPublisher.class.getName());

  private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

  private final OutboxStore store;
  private final Publishing with;
  private final LoopLife life;

  /** Held by the thread that works: what happens between rounds belongs to one thread at a time. */
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Whether the last round failed; used by the running thread alone. */
  private boolean isFailing;

  private OutboxPublisher(Builder from) {
    store = from.store;
    with =
        new Publishing(
            from.settings,
            from.routes,
            from.publishers,
            new Passes(from.clock),
            new PausedTopics(from.clock, from.random),
            new LoggedListener(from.listener),
            from.clock);
    life = new LoopLife(from.clock);
  }

  /**
   * Builds a publisher.
   *
   * @param store the outbox
   * @param settings how to publish
   * @param routes the topics of each subject
   * @param publishers a topic's publisher; called with topics of {@code routes} only
   */
  public static Builder builder(
      OutboxStore store,
      PublisherSettings settings,
      Routes routes,
      Function<String, EventPublisher> publishers) {
    return new Builder(store, settings, routes, publishers);
  }

  /**
   * Does one round.
   *
   * @return how many events were claimed; 0 if there is nothing to do at present
   * @throws OutboxStoreException if the database fails; what was sent is sent again under its key
   * @throws InterruptedException if the thread is interrupted; as for a failed database
   */
  public int step() throws InterruptedException {
    turn.lockInterruptibly();
    try {
      return round();
    } finally {
      turn.unlock();
    }
  }

  private int round() throws InterruptedException {
    List<OutboxEvent> claimed;
    List<Attempt> published;
    try (OutboxTransaction transaction = store.begin(with.passes())) {
      claimed = transaction.events().findUnpublished();
      if (claimed.isEmpty()) {
        return 0;
      }
      published = new PublishRound(with, transaction).run(claimed);
      transaction.commit();
    } catch (RuntimeException | InterruptedException e) {
      with.passes().restart();
      throw e;
    }
    published.forEach(this::tell);
    return claimed.size();
  }

  /**
   * Publishes one event now, out of order: before earlier events of its aggregate, even if it is
   * parked or one of its topics is paused. Waits until a running round has finished.
   *
   * @throws OutboxStoreException if the database fails; the event may be sent, and is then sent
   *     again under its key
   * @throws InterruptedException if the thread is interrupted; as for a failed database
   */
  public PublishOutcome publish(MessageId id) throws InterruptedException {
    turn.lockInterruptibly();
    try {
      return publishOne(id);
    } catch (PublisherBusyException e) {
      return new PublishOutcome.Busy();
    } finally {
      turn.unlock();
    }
  }

  private PublishOutcome publishOne(MessageId id) throws InterruptedException {
    Publishing alone = with.outOfTurn();
    try (OutboxTransaction transaction = store.begin(alone.passes())) {
      EventClaim claim = transaction.claim(id);
      if (claim instanceof EventClaim.Unknown) {
        return new PublishOutcome.Unknown();
      }
      if (!(claim instanceof EventClaim.Claimed claimed)) {
        return new PublishOutcome.Busy();
      }
      OutboxEvent event = claimed.event();
      return event.publishedAt() == null
          ? send(alone, transaction, event)
          : new PublishOutcome.AlreadyPublished(event.publishedAt());
    }
  }

  private PublishOutcome send(Publishing alone, OutboxTransaction transaction, OutboxEvent event)
      throws InterruptedException {
    PublishRound round = new PublishRound(alone, transaction);
    List<Attempt> published = round.run(List.of(event));
    transaction.commit();
    published.forEach(this::tell);
    return published.isEmpty()
        ? new PublishOutcome.Failed(round.failures().getOrDefault(event.messageId(), "not sent"))
        : new PublishOutcome.Done();
  }

  private void tell(Attempt attempt) {
    OutboxEvent event = attempt.event;
    with.listener()
        .published(
            new OutboxEventPublished(
                event.messageId(), event.eventType(), attempt.subject, with.clock().now()));
  }

  /** Publishes until {@link #close}, or until the thread is interrupted. Called once. */
  @Override
  public void run() {
    life.run(this::publish);
  }

  private void publish() throws InterruptedException {
    Duration pause = with.settings().minPoll();
    while (!life.isClosing()) {
      if (stepOrPause() > 0) {
        pause = with.settings().minPoll();
      } else {
        life.pause(pause);
        pause = longer(pause);
      }
    }
  }

  private int stepOrPause() throws InterruptedException {
    try {
      int claimed = step();
      logRecovery();
      return claimed;
    } catch (RuntimeException e) {
      logFailure(e);
      with.listener().failed(e);
      life.pause(FAILURE_PAUSE);
      return 0;
    }
  }

  /** The first failure of several in a row is logged. */
  private void logFailure(RuntimeException failure) {
    if (!isFailing) {
      isFailing = true;
      LOG.log(
          Level.WARNING,
          "The outbox of " + with.settings().context() + " cannot be published",
          failure);
    }
  }

  private void logRecovery() {
    if (isFailing) {
      isFailing = false;
      LOG.log(Level.INFO, "The outbox of {0} is published again", with.settings().context());
    }
  }

  private Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(with.settings().maxPoll()) < 0 ? twice : with.settings().maxPoll();
  }

  /**
   * Ends {@link #run} after its current round, and waits for that. If the thread is interrupted,
   * the round may still run; the interrupt flag then stays set.
   */
  @Override
  public void close() {
    life.close(() -> true);
  }

  /** Builds a publisher. */
  public static final class Builder {
    private final OutboxStore store;
    private final PublisherSettings settings;
    private final Routes routes;
    private final Function<String, EventPublisher> publishers;
    private PublishListener listener = PublishListener.NONE;
    private MailboxClock clock = MailboxClock.system();
    private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

    private Builder(
        OutboxStore store,
        PublisherSettings settings,
        Routes routes,
        Function<String, EventPublisher> publishers) {
      this.store = requireNonNull(store, "store");
      this.settings = requireNonNull(settings, "settings");
      this.routes = requireNonNull(routes, "routes");
      this.publishers = requireNonNull(publishers, "publishers");
    }

    /** Told what happens; by default nobody. */
    public Builder listener(PublishListener value) {
      listener = requireNonNull(value, "listener");
      return this;
    }

    /** The time; by default the machine's. */
    public Builder clock(MailboxClock value) {
      clock = requireNonNull(value, "clock");
      return this;
    }

    Builder random(DoubleSupplier value) {
      random = value;
      return this;
    }

    /** The publisher, not yet running. */
    public OutboxPublisher build() {
      return new OutboxPublisher(this);
    }
  }
}
