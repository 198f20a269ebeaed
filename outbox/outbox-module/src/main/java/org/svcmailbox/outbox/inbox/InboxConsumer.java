package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.loop.LoopLife;

/**
 * Fetches messages and handles them: in order within one lane, and concurrently across lanes. The
 * host supplies a thread for {@link #run} and an executor for the handlers, and ends both with
 * {@link #close}.
 */
public final class InboxConsumer implements Runnable, AutoCloseable {
  private static final Logger LOG = System.getLogger(InboxConsumer.class.getName());

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration SATURATED_PAUSE = Duration.ofMillis(50);

  /**
   * This part of the messages in flight may belong to any lane. More are fetched only for lanes
   * that run out of them, so that other consumers can hold the rest of what the topic permits.
   */
  private static final int FREE_SHARE = 4;

  /** The service fills a batch from one shard first: large ones would leave other lanes idle. */
  private static final int MAX_BATCH = 4;

  private final EventConsumer consumer;
  private final MessageProcessor processor;
  private final Executor handlers;
  private final InboxListener listener;
  private final MailboxClock clock;
  private final OutageWatch outage;
  private final Lanes lanes = new Lanes();
  private final int maxInFlight;
  private final LoopLife life;

  /** Whether the last fetch failed; used by the running thread alone. */
  private boolean isFailing;

  /**
   * A consumer, not yet running.
   *
   * @param processor settles the messages that {@code consumer} fetches
   * @param handlers runs one task for each lane at a time; a task lasts as long as its messages
   */
  public InboxConsumer(
      EventConsumer consumer,
      MessageProcessor processor,
      InboxSettings settings,
      Executor handlers,
      InboxListener listener,
      MailboxClock clock) {
    this(
        consumer,
        processor,
        settings,
        handlers,
        listener,
        clock,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  InboxConsumer(
      EventConsumer consumer,
      MessageProcessor processor,
      InboxSettings settings,
      Executor handlers,
      InboxListener listener,
      MailboxClock clock,
      DoubleSupplier random) {
    this.consumer = requireNonNull(consumer, "consumer");
    this.processor = requireNonNull(processor, "processor");
    this.handlers = requireNonNull(handlers, "handlers");
    this.listener = requireNonNull(listener, "listener");
    this.clock = requireNonNull(clock, "clock");
    outage = new OutageWatch(clock, random);
    maxInFlight = settings.maxInFlight();
    life = new LoopLife(clock);
  }

  /** Consumes until {@link #close}, or until the thread is interrupted. Called once. */
  @Override
  public void run() {
    life.run(this::consume);
  }

  private void consume() throws InterruptedException {
    while (!life.isClosing()) {
      life.await(() -> room() > 0, this::nextLook);
      int room = room();
      // An outage that a handler notices meanwhile takes the room away.
      if (room > 0 && !life.isClosing()) {
        fetch(room);
      }
    }
  }

  private void fetch(int room) throws InterruptedException {
    try {
      List<Delivery> deliveries = consumer.fetch(room);
      noteAnswer();
      if (!deliveries.isEmpty()) {
        outage.fetched();
      }
      deliveries.forEach(this::dispatch);
    } catch (TopicSaturatedException e) {
      LOG.log(Level.DEBUG, e.getMessage());
      noteAnswer();
      life.pause(SATURATED_PAUSE);
    } catch (RuntimeException e) {
      noteFailure(e);
      life.pause(PAUSE);
    }
  }

  private void noteAnswer() {
    if (isFailing) {
      isFailing = false;
      LOG.log(Level.INFO, "Messages can be fetched again");
    }
  }

  /** The first failure of several in a row is logged; one of the service without a stack. */
  private void noteFailure(RuntimeException failure) {
    if (isFailing) {
      return;
    }
    isFailing = true;
    if (failure instanceof ConsumerException) {
      LOG.log(Level.WARNING, "Nothing can be fetched: {0}", failure.getMessage());
    } else {
      LOG.log(Level.WARNING, "Nothing can be fetched", failure);
    }
  }

  /** How many messages may be fetched. */
  private int room() {
    return outage.permits(laneRoom());
  }

  private int laneRoom() {
    int held = lanes.held();
    int wanted = Math.max(maxInFlight / FREE_SHARE - held, lanes.lacking());
    return Math.min(Math.min(wanted, MAX_BATCH), maxInFlight - held);
  }

  private long nextLook() {
    return laneRoom() > 0 ? outage.nextLook() : clock.deadline(MailboxClock.FOREVER);
  }

  private void dispatch(Delivery delivery) {
    if (!lanes.add(delivery)) {
      return;
    }
    try {
      handlers.execute(() -> work(delivery));
    } catch (RejectedExecutionException e) {
      // No thread is free: this one handles the lane, and fetches nothing meanwhile.
      work(delivery);
    }
  }

  /** Handles the messages of a lane until there are no more. */
  private void work(Delivery first) {
    Delivery delivery = first;
    while (delivery != null) {
      handle(delivery);
      delivery = lanes.next(delivery);
      life.changed();
    }
  }

  private void handle(Delivery delivery) {
    long start = clock.nanoTime();
    try {
      if (life.isClosing()) {
        consumer.nak(Refused.retry(delivery, "the consumer stops", Duration.ZERO));
        return;
      }
      Handled result = processor.process(delivery);
      note(delivery, result);
      tell(result, Duration.ofNanos(clock.nanoTime() - start));
    } catch (ConsumerException e) {
      LOG.log(
          Level.INFO, "Message {0} will be delivered again: {1}", delivery.ids(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Message " + delivery.ids() + " is not settled", e);
      failed(delivery);
    }
  }

  private void tell(Handled result, Duration time) {
    try {
      listener.handled(result, time);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A listener of the inbox failed", e);
    }
  }

  private void note(Delivery delivery, Handled result) {
    if (result.isFailure()) {
      failed(delivery);
    } else if (result.isSuccess() && outage.succeeded(delivery.msgId())) {
      LOG.log(Level.INFO, "{0} goes on: message {1} is handled", consumer, delivery.ids());
    }
  }

  private void failed(Delivery delivery) {
    if (outage.failed(delivery.msgId())) {
      LOG.log(
          Level.WARNING,
          "{0} pauses, and tries one message at a time: {1} messages failed in a row,"
              + " the last is {2}",
          consumer,
          Breaker.FAILURES,
          delivery.ids());
    }
  }

  /** Whether all messages fail, so that only one at a time is tried. */
  public boolean isPaused() {
    return outage.isPaused();
  }

  /**
   * Stops fetching, returns messages that no handler has begun, and waits for the handlers. If the
   * thread is interrupted, handlers may still run; the interrupt flag then stays set.
   */
  @Override
  public void close() {
    life.close(() -> lanes.held() == 0);
  }
}
