package org.svcmailbox.core.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.stream.StreamMetrics.Returned;
import org.svcmailbox.core.stream.StreamPorts.Standing;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamService.Door;
import org.svcmailbox.core.stream.StreamService.OpenStream;
import org.svcmailbox.core.time.Ticker;

/**
 * One stream: a pump from RECV to an output. It has at most one open RECV, and opens the next one
 * when the output has taken the messages of the last. Any thread; turns exclude one another.
 */
final class MessageStream implements OpenStream {
  /** A message that the output does not take within this time is given back. */
  static final Duration UNPASSED = Duration.ofSeconds(1);

  /** A client that reads nothing for this long is slow. */
  static final Duration SLOW = Duration.ofSeconds(30);

  /** The longest time without any output. */
  static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** How often the rights and the topic are checked. */
  static final Duration RECHECK = Duration.ofSeconds(1);

  /** The part of a window, one in so many, that is worth a RECV of its own. */
  static final int WORTHWHILE = 8;

  /** Less room than that is used after this time. */
  static final Duration LINGER = Duration.ofMillis(10);

  /** Retried, because others free the outputs' memory without notice. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  private static final String CUT = "the stream was cut";

  private final Terms terms;
  private final StreamOutput output;
  private final StreamPorts ports;
  private final StreamMetrics metrics;
  private final Ticker ticker;
  private final BiConsumer<MessageStream, StreamEnd> ended;
  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /** Whether the stream waits for more room than it has. */
  private final AtomicBoolean isLingering = new AtomicBoolean();

  /** Whether it did so for long, and takes what room there is. */
  private volatile boolean hasLingered;

  private final Queue<LeasedMessage> unpassed = new ArrayDeque<>();
  private final Blocked blocked;
  private final Credit credit;

  /**
   * An outcome that no turn has handled yet, because threads of the service must not wait for a
   * turn.
   */
  private final AtomicReference<@Nullable Arrived> arrived = new AtomicReference<>();

  private @Nullable PendingRecv open;
  private Reaction.@Nullable Wait wait;
  private Reaction.@Nullable Stop stop;
  private long waitUntil;
  private long unpassedSince;
  private long writtenAt;
  private long checkedAt;
  private boolean isStarted;
  private boolean owesCall;
  private volatile boolean isOver;

  private record Arrived(PendingRecv call, RecvOutcome outcome) {}

  /**
   * The parts and terms of a stream.
   *
   * @param until on the ticker, when it reaches its maximum age
   * @param old the end that it then gets
   * @param since when it was opened
   */
  record Terms(
      String id,
      Caller caller,
      Door door,
      StreamRequest request,
      StreamWindow window,
      long until,
      StreamEnd old,
      Instant since) {
    CapabilityId holder() {
      return caller.capability().id();
    }
  }

  /**
   * @param ended runs once under the stream's lock, when the stream has ended
   */
  MessageStream(
      Terms terms,
      StreamOutput output,
      StreamPorts ports,
      StreamMetrics metrics,
      Ticker ticker,
      BiConsumer<MessageStream, StreamEnd> ended) {
    this.terms = terms;
    this.output = output;
    this.ports = ports;
    this.metrics = metrics;
    this.ticker = ticker;
    this.ended = ended;
    this.blocked = new Blocked(ticker, metrics::blocked);
    this.credit = terms.door() == Door.GRPC ? Credit.none() : Credit.endless();
    this.writtenAt = ticker.nanos();
    this.checkedAt = writtenAt;
    terms
        .window()
        .open(terms.request().window(), terms.request().windowBytes(), this::roomInWindow);
  }

  Terms terms() {
    return terms;
  }

  /** Why nothing is being leased; null if something can be. */
  @Nullable Pause paused() {
    return blocked.why();
  }

  @Override
  public String id() {
    return terms.id();
  }

  @Override
  public int window() {
    return terms.request().window();
  }

  @Override
  public synchronized void ready() {
    isStarted = true;
    turn();
  }

  /**
   * Has a turn use the room once it is worth a RECV, or a moment later. A client that settles one
   * message after another would have a RECV for each.
   */
  private void roomInWindow() {
    if (blocked.why() != Pause.WINDOW) {
      return;
    }
    if (isRoomWorthwhile()) {
      schedule();
    } else if (isLingering.compareAndSet(false, true)) {
      ports.later(LINGER, this::lingered);
    }
  }

  private void lingered() {
    isLingering.set(false);
    if (blocked.why() == Pause.WINDOW) {
      hasLingered = true;
      schedule();
    }
  }

  private boolean isRoomWorthwhile() {
    return terms.window().roomMessages() >= Math.max(1, window() / WORTHWHILE);
  }

  /** Has a thread of the output run a turn, unless one is about to. Any thread. */
  private void schedule() {
    if (isScheduled.compareAndSet(false, true)) {
      output.run(
          () -> {
            isScheduled.set(false);
            turn();
          });
    }
  }

  /** Schedules a turn if something is due. Called by the thread of all streams. */
  void tick() {
    if (isDue()) {
      schedule();
    }
  }

  private synchronized boolean isDue() {
    if (!isStarted || isOver) {
      return false;
    }
    long now = ticker.nanos();
    stop = findStop().orElse(null);
    return stop != null
        || isPast(now, writtenAt, HEARTBEAT)
        || (!unpassed.isEmpty() && isPast(now, unpassedSince, UNPASSED))
        || (wait != null && now - waitUntil >= 0);
  }

  private static boolean isPast(long now, long since, Duration time) {
    return now - since >= time.toNanos();
  }

  /** In this order: the end, messages to pass on, the next RECV, a heartbeat. */
  private synchronized void turn() {
    if (!isStarted || isOver) {
      return;
    }
    takeArrived();
    pass();
    stop = findStop().orElse(null);
    if (stop == null) {
      returnUnpassed();
      blocked.now(lease());
      lookForRoom();
      beat();
    }
    if (stop != null) {
      end(stop);
    }
  }

  private void pass() {
    while (!unpassed.isEmpty() && output.isReady() && output.hasRoom()) {
      LeasedMessage message = unpassed.remove();
      long number = terms.window().pass(message.receipt());
      if (number > 0) {
        output.message(number, message);
        credit.spend(message.message().payload().size());
        metrics.passed(message.message().envelope());
        writtenAt = ticker.nanos();
      }
    }
  }

  private Optional<Reaction.Stop> findStop() {
    if (stop != null) {
      return Optional.of(stop);
    }
    if (ports.isDraining()) {
      return Optional.of(new Reaction.Stop(StreamEnd.DRAIN, null));
    }
    long now = ticker.nanos();
    if (now - terms.until() >= 0) {
      return Optional.of(new Reaction.Stop(terms.old(), null));
    }
    if (blocked.why() == Pause.OUTPUT && blocked.held() >= SLOW.toNanos()) {
      return Optional.of(new Reaction.Stop(StreamEnd.SLOW, null));
    }
    if (isPast(now, checkedAt, RECHECK)) {
      checkedAt = now;
      return recheck();
    }
    return Optional.empty();
  }

  /** A denial that may be temporary, because the database is away, ends nothing. */
  private Optional<Reaction.Stop> recheck() {
    if (ports.standing(terms.request().topic()) == Standing.GONE) {
      return Optional.of(new Reaction.Stop(StreamEnd.TOPIC, null));
    }
    return terms
        .caller()
        .denial(Operation.RECV, terms.request().topic())
        .map(Refusal::denied)
        .map(Reaction::to)
        .filter(Reaction.Stop.class::isInstance)
        .map(Reaction.Stop.class::cast);
  }

  private void returnUnpassed() {
    if (!unpassed.isEmpty() && isPast(ticker.nanos(), unpassedSince, UNPASSED)) {
      unpassed.clear();
      metrics.returned(Returned.OUTPUT, terms.window().giveBackUnpassed());
    }
  }

  /** Opens the next RECV, or returns why it cannot now; null also while one is open. */
  private @Nullable Pause lease() {
    if (!output.isReady()) {
      return Pause.OUTPUT;
    }
    if (!unpassed.isEmpty() || !output.hasRoom()) {
      pause(new Reaction.Wait(Pause.BOUND, LOOK_AGAIN));
      return Pause.BOUND;
    }
    if (open != null) {
      return isPaused() ? Pause.TOPIC : null;
    }
    if (terms.window().roomMessages() == 0 || !(isRoomWorthwhile() || hasLingered)) {
      return Pause.WINDOW;
    }
    if (credit.isSpent()) {
      return Pause.CREDIT;
    }
    if (wait != null && ticker.nanos() - waitUntil < 0) {
      return wait.why();
    }
    if (!output.isFree()) {
      return Pause.OUTPUT;
    }
    wait = null;
    hasLingered = false;
    receive();
    return wait == null ? null : wait.why();
  }

  /** Looks again, because a lease that ended meanwhile had no reason to report it. */
  private void lookForRoom() {
    if (terms.window().roomMessages() > 0) {
      roomInWindow();
    }
  }

  private boolean isPaused() {
    return ports.standing(terms.request().topic()) == Standing.PAUSED;
  }

  private void receive() {
    try {
      if (owesCall) {
        ports.countCall(terms.caller());
        owesCall = false;
      }
      StreamWindow window = terms.window();
      RecvRequest request =
          terms
              .request()
              .recv(credit.messages(window()), credit.bytes(terms.request().windowBytes()));
      PendingRecv call = ports.recv(terms.caller(), request, window);
      open = call;
      CompletionStage<Void> unused = call.outcome().thenAccept(outcome -> received(call, outcome));
      takeArrived();
    } catch (SaturatedException e) {
      react(Refusal.saturated(e.reason(), String.valueOf(e.getMessage()), e.retryAfter()));
    } catch (MailboxException e) {
      react(new Refusal(e.problem(), "", String.valueOf(e.getMessage()), null));
    }
  }

  /** Runs on a thread of the service, or within {@link #receive}. */
  private void received(PendingRecv call, RecvOutcome outcome) {
    arrived.set(new Arrived(call, outcome));
    if (isOver) {
      dropArrived();
    } else {
      schedule();
    }
  }

  private void dropArrived() {
    Arrived dropped = arrived.getAndSet(null);
    if (dropped != null) {
      dropped.call().abandon();
    }
  }

  private void takeArrived() {
    Arrived taken = arrived.getAndSet(null);
    if (taken == null) {
      return;
    }
    open = null;
    if (taken.outcome() instanceof Delivered delivered) {
      unpassed.addAll(delivered.messages());
      unpassedSince = ticker.nanos();
      owesCall |= !delivered.messages().isEmpty();
    } else if (taken.outcome() instanceof Refusal refusal) {
      react(refusal);
    }
  }

  private void react(Refusal refusal) {
    Reaction reaction = Reaction.to(refusal);
    if (reaction instanceof Reaction.Wait asked) {
      pause(asked);
    } else if (reaction instanceof Reaction.Stop now) {
      stop = now;
    }
  }

  private void pause(Reaction.Wait asked) {
    wait = asked;
    waitUntil = ticker.nanos() + asked.time().toNanos();
  }

  private void beat() {
    if (isPast(ticker.nanos(), writtenAt, HEARTBEAT) && output.isReady()) {
      output.heartbeat(terms.window().unsettled(), blocked.why());
      writtenAt = ticker.nanos();
    }
  }

  private void end(Reaction.Stop why) {
    close(why.end());
    output.end(why.end(), why.why());
  }

  private void close(StreamEnd end) {
    isOver = true;
    blocked.now(null);
    if (open != null) {
      open.abandon();
    }
    dropArrived();
    unpassed.clear();
    metrics.returned(Returned.END, terms.window().giveBackUnpassed());
    metrics.closed(end);
    ended.accept(this, end);
    if (end.isByClient() && terms.request().onClose() == OnClose.NACK) {
      terms.window().passed().forEach(this::nack);
    }
  }

  @Override
  public synchronized void credit(long messages, long bytes) {
    credit.add(messages, bytes);
    schedule();
  }

  @Override
  public synchronized void close() {
    if (!isOver) {
      end(new Reaction.Stop(StreamEnd.CLOSED, null));
    }
  }

  @Override
  public synchronized void cut() {
    if (!isOver) {
      close(StreamEnd.CUT);
    }
  }

  private void nack(StreamWindow.Passed passed) {
    ports.settle(terms.caller(), new Nack(passed.msgId(), passed.receipt(), CUT, Duration.ZERO));
  }

  /** Ends the stream, because another one continues with its window. */
  synchronized void giveUp() {
    if (!isOver) {
      close(StreamEnd.RESUMED);
      output.run(() -> output.end(StreamEnd.RESUMED, null));
    }
  }
}
