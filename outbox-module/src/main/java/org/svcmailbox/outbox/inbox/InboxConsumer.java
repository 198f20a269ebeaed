package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.loop.LoopLife;

/**
 * Fetches messages and has them handled: those of one lane in order, those of different lanes at
 * the same time. The host gives {@link #run} a thread and the handlers an executor, and ends both
 * with {@link #close}.
 */
public final class InboxConsumer implements Runnable, AutoCloseable {
  private static final Logger LOG = System.getLogger(InboxConsumer.class.getName());

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final EventConsumer consumer;
  private final MessageProcessor processor;
  private final InboxSettings settings;
  private final Executor handlers;
  private final InboxListener listener;
  private final MailboxClock clock;
  private final OutageWatch outage;
  private final Lanes lanes = new Lanes();
  private final LoopLife life;

  /** Whether the last fetch failed; used by the running thread alone. */
  private boolean isFailing;

  /**
   * A consumer, not yet running.
   *
   * @param processor settles what {@code consumer} fetches
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
    this.settings = requireNonNull(settings, "settings");
    this.handlers = requireNonNull(handlers, "handlers");
    this.listener = requireNonNull(listener, "listener");
    this.clock = requireNonNull(clock, "clock");
    outage = new OutageWatch(clock, random);
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
      consumer.fetch(room).forEach(this::dispatch);
      isFailing = false;
    } catch (RuntimeException e) {
      logFailure(e);
      life.pause(PAUSE);
    }
  }

  /** The first failure of several in a row is logged. */
  private void logFailure(RuntimeException failure) {
    if (!isFailing) {
      isFailing = true;
      LOG.log(Level.WARNING, "Nothing can be fetched", failure);
    }
  }

  /** How many messages may be fetched. */
  private int room() {
    if (outage.isOut()) {
      return lanes.held() == 0 && clock.isPast(outage.nextProbe()) ? 1 : 0;
    }
    return settings.maxInFlight() - lanes.held();
  }

  private long nextLook() {
    return outage.isOut() && lanes.held() == 0
        ? outage.nextProbe()
        : clock.deadline(MailboxClock.FOREVER);
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
      note(result);
      tell(result, Duration.ofNanos(clock.nanoTime() - start));
    } catch (ConsumerException e) {
      LOG.log(Level.INFO, "Message {0} comes again: {1}", delivery.ids(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Message " + delivery.ids() + " is not settled", e);
      outage.failed();
    }
  }

  private void tell(Handled result, Duration time) {
    try {
      listener.handled(result, time);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A listener of the inbox failed", e);
    }
  }

  private void note(Handled result) {
    if (result.isFailure()) {
      outage.failed();
    } else if (result != Handled.BUSY) {
      outage.succeeded();
    }
  }

  /**
   * Stops fetching, gives back what no handler has begun, and waits for the handlers. If the thread
   * is interrupted, they may still go on; the interrupt flag then stays set.
   */
  @Override
  public void close() {
    life.close(() -> lanes.held() == 0);
  }
}
