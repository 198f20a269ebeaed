package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Capabilities;
import org.svcmailbox.client.Capabilities.Ordering;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Message;

/**
 * A worker: receives messages and runs a handler on each, several at a time.
 *
 * <ul>
 *   <li>It receives only as many messages as workers have no handler running, so no lease ages in a
 *       local queue. A message waits at most for the settlement of the one before it.
 *   <li>While a handler runs, its lease is extended every third of the visibility, many leases in
 *       one call. A call without an answer delays no other, and is made again on another connection
 *       a sixth of the visibility later. After {@code maxExecution}, or at the moment at which its
 *       lease is over, the handler is interrupted.
 *   <li>When a handler returns, the loop sends the reply, then acknowledges. After an exception or
 *       a failed reply it nacks with {@code min(60 * deliveryCount, 900)} seconds, or {@link
 *       Builder#retryDelay}, and the error.
 *   <li>A message delivered too often is a dead letter on arrival, as {@link DLQConfig} says.
 *   <li>A {@link MainLoopRequest} past its deadline is answered with an error. So is one that fails
 *       for the last time: on arrival with {@link DLQConfig}. Where dead letters are native, it is
 *       answered before the nack of delivery {@link Capabilities#maxDeliveries}.
 *   <li>Calls that fail are repeated after a while, also for want of memory or threads ({@link
 *       OutOfMemoryError}). Any other error out of a receive or an extension ends the loop, because
 *       it would come again: a class that is missing stays missing. The loop then returns its
 *       messages, {@link #isRunning} is false, and the log and {@link LoopListener} say why.
 * </ul>
 *
 * <p>One thread receives, one keeps the leases, and each worker is a thread. All of them end with
 * {@link #stop}, or when the mailbox is closed. Extensions are made on at most 64 daemon threads
 * more, which end when idle; mostly there is one. A handler that ignores its interruption keeps its
 * thread; its message returns to the queue.
 *
 * <pre>{@code
 * MainLoop<Order, Receipt> loop =
 *     MainLoop.handling(orders, message -> ship(message.body()))
 *         .workers(8)
 *         .deadLetters(DLQConfig.to(deadOrders, 5))
 *         .start();
 * }</pre>
 *
 * @param <T> the bodies of the messages
 * @param <R> the bodies of the replies
 */
public final class MainLoop<T, R> implements AutoCloseable {
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(30);

  private final LoopState<T, R> state;
  private final LoopStop<T, R> stop;

  private MainLoop(LoopState<T, R> state, LoopStop<T, R> stop) {
    this.state = state;
    this.stop = stop;
  }

  /** Builds a loop that hands whole messages to a handler. */
  public static <T, R> Builder<T, R> handling(Mailbox<T, R> mailbox, MessageHandler<T, R> handler) {
    requireNonNull(handler, "handler");
    return new Builder<>(mailbox, clock -> new MessageWork<>(handler));
  }

  /** Builds a loop that hands whole messages to a handler that gives no replies. */
  public static <T, R> Builder<T, R> consuming(
      Mailbox<T, R> mailbox, Consumer<? super Message<T, R>> handler) {
    requireNonNull(handler, "handler");
    return handling(
        mailbox,
        message -> {
          handler.accept(message);
          return null;
        });
  }

  /** Builds a loop that answers requests with results. */
  public static <T, R> Builder<MainLoopRequest<T>, MainLoopResult<R>> serving(
      Mailbox<MainLoopRequest<T>, MainLoopResult<R>> requests, RequestHandler<T, R> handler) {
    requireNonNull(handler, "handler");
    String session = UUID.randomUUID().toString();
    return new Builder<>(requests, clock -> new RequestWork<>(handler, clock, session));
  }

  /** Whether the loop still receives messages. */
  public boolean isRunning() {
    return state.isRunning();
  }

  /** The error with which the loop ended by itself; empty if it did not. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(state.failure());
  }

  /** How many messages the loop holds. */
  public int busy() {
    return state.jobs().size();
  }

  /**
   * Stops the loop. Ends receiving, waits for the handlers that run, then interrupts the rest. A
   * handler that then returns is done; of any other the message goes back to the queue at once. The
   * mailbox stays open.
   *
   * <p>Takes at most the grace and 5 s, even if the backend does not answer; then messages that
   * could not be returned come back when their leases end. An interrupt ends the grace.
   *
   * @param grace how long handlers may take to end by themselves; zero or positive
   * @return whether all handlers ended by themselves
   */
  public boolean stop(Duration grace) {
    return stop.end(grace);
  }

  /**
   * Stops loops side by side, each as {@link #stop} does. Takes at most the grace and 5 s in all.
   *
   * @param grace how long the handlers of all of them may take to end by themselves
   * @return whether all handlers ended by themselves
   */
  public static boolean stopAll(Collection<? extends MainLoop<?, ?>> loops, Duration grace) {
    List<LoopStop<?, ?>> stops = new ArrayList<>();
    for (MainLoop<?, ?> loop : loops) {
      stops.add(loop.stop);
    }
    return LoopStop.endAll(stops, grace);
  }

  /** Stops the loop with 30 s for the handlers that run. */
  @Override
  public void close() {
    boolean unused = stop(CLOSE_GRACE);
  }

  private static <T, R> MainLoop<T, R> start(
      Mailbox<T, R> mailbox,
      LoopSettings settings,
      Work<T, R> work,
      Executor executor,
      Executor leaseThreads,
      Listeners listeners) {
    LoopState<T, R> state = new LoopState<>(settings);
    Supervisor<T, R> supervisor = new Supervisor<>(mailbox, state, listeners);
    LeaseKeeper<T, R> leases =
        new LeaseKeeper<>(mailbox, settings, state, leaseThreads, supervisor);
    Processor<T, R> processor =
        new Processor<>(
            mailbox, settings, work, leases::wakeFor, state::handled, state::pauseUntilStopped);
    LoopStop<T, R> stop = new LoopStop<>(state, leases, processor);
    try {
      state.launch(
          executor,
          new Receiver<>(mailbox, settings, state, leases, processor, stop, supervisor, listeners));
      state.launch(
          executor,
          () -> {
            supervisor.supervised(leases).run();
            stop.returnStuck();
          });
      for (int i = 0; i < settings.workers(); i++) {
        state.launch(
            executor,
            supervisor.supervised(new Worker<>(mailbox.name(), state, processor, listeners)));
      }
    } catch (RuntimeException | Error e) {
      stop.endWork();
      stop.returnStuck();
      throw e;
    }
    return new MainLoop<>(state, stop);
  }

  /**
   * Builds a loop.
   *
   * @param <T> the bodies of the messages
   * @param <R> the bodies of the replies
   */
  public static final class Builder<T, R> {
    // The service bounds a lease at ten visibilities. After nine, there is time for the nack.
    private static final int EXECUTION_FACTOR = 9;

    private final Mailbox<T, R> mailbox;
    private final Function<MailboxClock, Work<T, R>> work;
    private int workers = 1;
    private boolean ordered;
    private Duration visibility = Duration.ofSeconds(30);
    private @Nullable Duration wait;
    private @Nullable Duration maxExecution;
    private DLQConfig deadLetters = DLQConfig.backend();
    private IntFunction<Duration> retryDelay = Processor::backoff;
    private MailboxClock clock = MailboxClock.system();
    private @Nullable Executor executor;
    private @Nullable Executor leaseThreads;
    private final List<LoopListener> listeners = new ArrayList<>();

    private Builder(Mailbox<T, R> mailbox, Function<MailboxClock, Work<T, R>> work) {
      this.mailbox = requireNonNull(mailbox, "mailbox");
      this.work = work;
    }

    /** How many messages are handled at a time, at least 1; by default 1. */
    public Builder<T, R> workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("workers must be at least 1, not " + count);
      }
      workers = count;
      return this;
    }

    /**
     * Receives messages singly, so that a worker never holds one behind another. Where order is
     * {@link Ordering#STRICT}, the backend keeps it within each group. Elsewhere a loop must be the
     * only one and have one worker, and a message that is nacked lets later ones pass.
     */
    public Builder<T, R> ordered() {
      ordered = true;
      return this;
    }

    /** How long leases last; by default 30 s. A crash returns messages after this long. */
    public Builder<T, R> visibility(Duration value) {
      visibility = requireNonNull(value, "visibility");
      return this;
    }

    /** How long one receive waits; by default 20 s, or less where the backend allows less. */
    public Builder<T, R> receiveWait(Duration value) {
      wait = requireNonNull(value, "wait");
      return this;
    }

    /**
     * How long a handler may take before it is interrupted; by default 9 times the visibility.
     * Where the backend bounds a lease, as the service does at 12 h unless the topic's {@code
     * retention_inflight} says otherwise, the handler is interrupted shortly before that end.
     */
    public Builder<T, R> maxExecution(Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException("maxExecution must be positive, not " + value);
      }
      maxExecution = value;
      return this;
    }

    /**
     * The fate of messages that fail again and again; needed unless the backend has dead letters.
     */
    public Builder<T, R> deadLetters(DLQConfig value) {
      deadLetters = requireNonNull(value, "deadLetters");
      return this;
    }

    /**
     * How long a message stays hidden after its handler or its reply failed; by default {@code
     * min(60 * deliveryCount, 900)} seconds. Cut to {@link Capabilities#maxVisibility}.
     */
    public Builder<T, R> retryDelay(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("retryDelay is negative: " + value);
      }
      return retryDelay(deliveryCount -> value);
    }

    /**
     * The same, for each delivery another.
     *
     * @param value from the number of the delivery that failed, from 1, to zero or a positive time
     */
    public Builder<T, R> retryDelay(IntFunction<Duration> value) {
      retryDelay = requireNonNull(value, "retryDelay");
      return this;
    }

    /** The time; by default the machine's. */
    public Builder<T, R> clock(MailboxClock value) {
      clock = requireNonNull(value, "clock");
      return this;
    }

    /**
     * Makes the loop's threads but for those of extensions: one that receives, one that keeps
     * leases, and one for each worker. By default they are threads of the loop's own, and the
     * process lives until the loop stops. On a Jakarta EE server, this is its {@code
     * ManagedThreadFactory}.
     */
    public Builder<T, R> threads(ThreadFactory factory) {
      requireNonNull(factory, "factory");
      executor = task -> startThread(factory, task);
      return this;
    }

    /**
     * Runs the loop's threads as tasks, all occupied until the loop ends. The executor must run
     * that many tasks side by side, because a queued one never begins. Prefer {@link #threads} to a
     * pool that others share.
     */
    public Builder<T, R> executor(Executor value) {
      executor = requireNonNull(value, "executor");
      return this;
    }

    /** Is told what the loop does, beside the listeners that were given before. */
    public Builder<T, R> listener(LoopListener value) {
      listeners.add(requireNonNull(value, "listener"));
      return this;
    }

    Builder<T, R> leaseThreads(Executor value) {
      leaseThreads = value;
      return this;
    }

    /**
     * Starts the loop.
     *
     * @throws IllegalArgumentException if a duration is outside what the backend allows
     * @throws IllegalStateException if dead letters are configured neither here nor in the backend
     * @throws UnsupportedOperationException if the loop is ordered and the backend or the number of
     *     workers rules order out
     * @throws RejectedExecutionException if there are no threads for all of it; none runs then
     */
    public MainLoop<T, R> start() {
      LoopSettings settings =
          new LoopSettings(
              workers,
              ordered,
              visibility,
              wait != null ? wait : mailbox.capabilities().usualWait(),
              maxExecution != null ? maxExecution : visibility.multipliedBy(EXECUTION_FACTOR),
              deadLetters,
              retryDelay,
              clock);
      settings.requireAllowedBy(mailbox);
      return MainLoop.start(
          mailbox,
          settings,
          work.apply(clock),
          executor != null ? executor : new LoopThreads(mailbox.name()),
          leaseThreads != null ? leaseThreads : LeaseThreads.of(mailbox, workers),
          new Listeners(mailbox, listeners));
    }

    private static void startThread(ThreadFactory factory, Runnable task) {
      Thread thread = factory.newThread(task);
      if (thread == null) {
        throw new RejectedExecutionException("the factory makes no thread");
      }
      thread.start();
    }
  }
}
