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
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Message;

/**
 * A worker: receives messages and runs a handler on each, several at a time.
 *
 * <ul>
 *   <li>It receives only as many messages as there are workers without a running handler, so no
 *       lease ages in a local queue. A message waits at most for the settlement of the one before
 *       it.
 *   <li>While a handler runs, the loop extends its lease whenever a third of the visibility has
 *       passed, many leases in one call. An unanswered call delays no other; the loop repeats it on
 *       another connection after a sixth of the visibility. It interrupts the handler after {@code
 *       maxExecution}, or when the lease ends.
 *   <li>When a handler returns, the loop sends the reply, then acknowledges. After an exception or
 *       a failed reply it nacks with {@code min(60 * deliveryCount, 900)} seconds, or {@link
 *       Builder#retryDelay}, and the error.
 *   <li>A message delivered too often is a dead letter on arrival, and {@link DLQConfig} decides
 *       its treatment.
 *   <li>A {@link MainLoopRequest} past its deadline is answered with an error. So is a request that
 *       fails for the last time: with a {@link DLQConfig} on its next arrival, with native dead
 *       letters before the nack of delivery {@link BackendFeatures#maxDeliveries}.
 *   <li>The loop repeats failed calls after a pause, even if they failed for lack of memory or
 *       threads ({@link OutOfMemoryError}). Any other error from a receive or an extension ends the
 *       loop, because it would occur again: a missing class stays missing. The loop then returns
 *       its messages, {@link #isRunning} is false, and the log and {@link LoopListener} give the
 *       reason.
 * </ul>
 *
 * <p>One thread receives, one keeps the leases, and each worker is a thread. All of them end with
 * {@link #stop}, or when the mailbox is closed. At most 64 additional daemon threads make
 * extensions, and end when idle; usually there is one. A handler that ignores its interruption
 * keeps its thread; its message returns to the queue.
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

  /** The error that ended the loop; empty if none did. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(state.failure());
  }

  /** How many messages the loop holds. */
  public int busy() {
    return state.jobs().size();
  }

  /**
   * Stops the loop. Ends receiving, waits for running handlers, then interrupts the remaining ones.
   * If an interrupted handler still returns normally, its message is settled; every other message
   * goes back to the queue at once. The mailbox stays open.
   *
   * <p>Takes at most the grace period plus 5 s, even if the backend does not answer. Messages that
   * could not be returned come back when their leases end. An interrupt ends the grace period.
   *
   * @param grace how long handlers may still run before they are interrupted; zero or positive
   * @return whether all handlers ended by themselves
   */
  public boolean stop(Duration grace) {
    return stop.end(grace);
  }

  /**
   * Stops several loops in parallel, each as {@link #stop} does. Takes at most the grace period
   * plus 5 s in total.
   *
   * @param grace how long the handlers of all loops may still run before they are interrupted
   * @return whether all handlers ended by themselves
   */
  public static boolean stopAll(Collection<? extends MainLoop<?, ?>> loops, Duration grace) {
    List<LoopStop<?, ?>> stops = new ArrayList<>();
    for (MainLoop<?, ?> loop : loops) {
      stops.add(loop.stop);
    }
    return LoopStop.endAll(stops, grace);
  }

  /** Stops the loop; running handlers have 30 s to finish. */
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
    LoopSupervisor<T, R> supervisor = new LoopSupervisor<>(mailbox, state, listeners);
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
            supervisor.supervised(new LoopWorker<>(mailbox.name(), state, processor, listeners)));
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

    /** How many messages the loop handles at a time, at least 1; by default 1. */
    public Builder<T, R> workers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("workers must be at least 1, not " + count);
      }
      workers = count;
      return this;
    }

    /**
     * Receives messages one at a time, so that no message waits behind another in the worker. With
     * {@link Ordering#STRICT}, the backend keeps the order within each group. On other backends,
     * only a single loop with one worker keeps the order, and later messages overtake a nacked one.
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

    /** How long one receive waits; by default 20 s, or less if the backend allows less. */
    public Builder<T, R> receiveWait(Duration value) {
      wait = requireNonNull(value, "wait");
      return this;
    }

    /**
     * How long a handler may take before it is interrupted; by default 9 times the visibility. If
     * the backend limits a lease, the loop interrupts the handler shortly before that limit. The
     * service's limit is 12 h, or the topic's {@code retention_inflight}.
     */
    public Builder<T, R> maxExecution(Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException("maxExecution must be positive, not " + value);
      }
      maxExecution = value;
      return this;
    }

    /**
     * The treatment of messages that fail repeatedly; required unless the backend has dead letters.
     */
    public Builder<T, R> deadLetters(DLQConfig value) {
      deadLetters = requireNonNull(value, "deadLetters");
      return this;
    }

    /**
     * How long a message stays hidden after its handler or its reply failed; by default {@code
     * min(60 * deliveryCount, 900)} seconds. Cut to {@link BackendFeatures#maxVisibility}.
     */
    public Builder<T, R> retryDelay(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("retryDelay is negative: " + value);
      }
      return retryDelay(deliveryCount -> value);
    }

    /**
     * The retry delay for each delivery.
     *
     * @param value maps the number of the failed delivery, from 1, to a delay that is zero or
     *     positive
     */
    public Builder<T, R> retryDelay(IntFunction<Duration> value) {
      retryDelay = requireNonNull(value, "retryDelay");
      return this;
    }

    /** The clock; by default the machine's. */
    public Builder<T, R> clock(MailboxClock value) {
      clock = requireNonNull(value, "clock");
      return this;
    }

    /**
     * Creates the loop's threads, except those for extensions: one receives, one keeps leases, and
     * each worker has one. By default the loop creates its own threads, and the process lives until
     * the loop stops. On a Jakarta EE server, pass its {@code ManagedThreadFactory}.
     */
    public Builder<T, R> threads(ThreadFactory factory) {
      requireNonNull(factory, "factory");
      executor = task -> startThread(factory, task);
      return this;
    }

    /**
     * Runs the loop's threads as tasks of an executor, each until the loop ends. The executor must
     * run all of them at the same time, because a queued task would never begin. Prefer {@link
     * #threads} to a shared pool.
     */
    public Builder<T, R> executor(Executor value) {
      executor = requireNonNull(value, "executor");
      return this;
    }

    /** Adds a listener for the loop's events. */
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
     * @throws IllegalArgumentException if a duration is outside the backend's limits
     * @throws IllegalStateException if dead letters are configured neither here nor in the backend
     * @throws UnsupportedOperationException if the loop is ordered, but the backend or the number
     *     of workers cannot keep the order
     * @throws RejectedExecutionException if there are not enough threads; none of the tasks runs
     *     then
     */
    public MainLoop<T, R> start() {
      LoopSettings settings =
          new LoopSettings(
              workers,
              ordered,
              visibility,
              wait != null ? wait : mailbox.features().usualWait(),
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
