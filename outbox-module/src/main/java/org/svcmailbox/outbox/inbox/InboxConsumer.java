package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

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
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Deque<Delivery>> lanes = new HashMap<>();
  private int held;
  private boolean isClosing;
  private boolean isRunning;

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
  }

  /** Consumes until {@link #close}, or until the thread is interrupted. Called once. */
  @Override
  public void run() {
    start();
    try {
      int room = awaitRoom();
      while (room > 0) {
        fetch(room);
        room = awaitRoom();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void fetch(int room) throws InterruptedException {
    try {
      consumer.fetch(room).forEach(this::dispatch);
      isFailing = false;
    } catch (RuntimeException e) {
      logFailure(e);
      pauseUntil(clock.deadline(PAUSE));
    }
  }

  /** The first failure of several in a row is logged. */
  private void logFailure(RuntimeException failure) {
    if (!isFailing) {
      isFailing = true;
      LOG.log(Level.WARNING, "Nothing can be fetched", failure);
    }
  }

  /** How many messages to fetch; 0 once the consumer closes. */
  private int awaitRoom() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isClosing && room() == 0) {
        clock.await(lock, changed, nextLook());
      }
      return isClosing ? 0 : room();
    } finally {
      lock.unlock();
    }
  }

  private int room() {
    if (outage.isOut()) {
      return held == 0 && clock.isPast(outage.nextProbe()) ? 1 : 0;
    }
    return settings.maxInFlight() - held;
  }

  private long nextLook() {
    return outage.isOut() && held == 0 ? outage.nextProbe() : clock.deadline(MailboxClock.FOREVER);
  }

  private void pauseUntil(long end) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isClosing && !clock.isPast(end)) {
        clock.await(lock, changed, end);
      }
    } finally {
      lock.unlock();
    }
  }

  private void dispatch(Delivery delivery) {
    lock.lock();
    try {
      held++;
      Deque<Delivery> lane = lanes.get(delivery.lane());
      if (lane != null) {
        lane.add(delivery);
        return;
      }
      lanes.put(delivery.lane(), new ArrayDeque<>(List.of(delivery)));
    } finally {
      lock.unlock();
    }
    try {
      handlers.execute(() -> work(delivery.lane()));
    } catch (RejectedExecutionException e) {
      // No thread is free: this one handles the lane, and fetches nothing meanwhile.
      work(delivery.lane());
    }
  }

  /** Handles the messages of a lane until there are no more. */
  private void work(int lane) {
    Delivery delivery = peek(lane);
    while (delivery != null) {
      handle(delivery);
      delivery = next(lane);
    }
  }

  private @Nullable Delivery peek(int lane) {
    lock.lock();
    try {
      return lanes.getOrDefault(lane, new ArrayDeque<>()).peek();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the lane's message go; null if it was the last. */
  private @Nullable Delivery next(int lane) {
    lock.lock();
    try {
      Deque<Delivery> deliveries = lanes.getOrDefault(lane, new ArrayDeque<>());
      deliveries.poll();
      held--;
      changed.signalAll();
      if (deliveries.isEmpty()) {
        lanes.remove(lane);
      }
      return deliveries.peek();
    } finally {
      lock.unlock();
    }
  }

  private void handle(Delivery delivery) {
    long start = clock.nanoTime();
    try {
      if (isClosing()) {
        consumer.nak(Refused.retry(delivery, "the consumer stops", Duration.ZERO));
        return;
      }
      Handled result = processor.process(delivery);
      note(result);
      tell(result, Duration.ofNanos(clock.nanoTime() - start));
    } catch (ConsumerException e) {
      LOG.log(Level.INFO, "Message {0} comes again: {1}", delivery.msgId(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Message " + delivery.msgId() + " is not settled", e);
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

  private boolean isClosing() {
    lock.lock();
    try {
      return isClosing;
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    lock.lock();
    try {
      if (isRunning) {
        throw new IllegalStateException("the consumer runs already");
      }
      isRunning = true;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      isRunning = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops fetching, gives back what no handler has begun, and waits for the handlers. If the thread
   * is interrupted, they may still go on; the interrupt flag then stays set.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosing = true;
      changed.signalAll();
      while (isRunning || held > 0) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
