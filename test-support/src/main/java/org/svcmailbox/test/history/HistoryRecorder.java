package org.svcmailbox.test.history;

import static org.svcmailbox.test.history.CallOutcome.FAIL;
import static org.svcmailbox.test.history.CallOutcome.OK;
import static org.svcmailbox.test.history.CallOutcome.UNKNOWN;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Verb;

/**
 * An append-only record of what clients do, for any number of threads. A call is entered before it
 * is made, so that one that never returns is in the history too, as unknown.
 */
public final class HistoryRecorder {
  private final LongSupplier clock;
  private final long origin;
  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();
  private final Queue<CallSpan> crashes = new ConcurrentLinkedQueue<>();
  private final Queue<CallSpan> losses = new ConcurrentLinkedQueue<>();

  public HistoryRecorder() {
    this(System::nanoTime);
  }

  /**
   * @param clock nanoseconds that never go back
   */
  public HistoryRecorder(LongSupplier clock) {
    this.clock = clock;
    this.origin = clock.getAsLong();
  }

  /** Enters a SEND that is about to be made. */
  public Call<Accepted> send(String topic, String idemKey, String payloadHash) {
    MessageKey key = new MessageKey(topic, idemKey);
    return enter(
        (span, outcome, answer) -> new Event.Send(span, outcome, key, payloadHash, answer));
  }

  /** Enters a RECV that is about to be made. */
  public Call<List<Handed>> recv(String topic, Duration visibility) {
    return enter(
        (span, outcome, answer) ->
            new Event.Recv(span, outcome, topic, visibility, answer == null ? List.of() : answer));
  }

  /** Enters an ACK that is about to be made. */
  public Call<Verb> ack(String msgId, @Nullable String receipt) {
    return settle(Verb.ACK, msgId, receipt, Duration.ZERO);
  }

  /** Enters a NACK that is about to be made. */
  public Call<Verb> nack(String msgId, @Nullable String receipt) {
    return settle(Verb.NACK, msgId, receipt, Duration.ZERO);
  }

  /** Enters an EXTEND that is about to be made. */
  public Call<Verb> extend(String msgId, @Nullable String receipt, Duration visibility) {
    return settle(Verb.EXTEND, msgId, receipt, visibility);
  }

  /**
   * Does what ends the server, and enters when.
   *
   * @param kill returns when the process is gone
   */
  public void crash(Runnable kill) {
    crashes.add(spanOf(kill));
  }

  /**
   * Runs an action that ends leases early while the server continues, such as a thread's death, and
   * records when.
   *
   * @param loss returns when all affected leases have ended
   */
  public void loseLeases(Runnable loss) {
    losses.add(spanOf(loss));
  }

  private CallSpan spanOf(Runnable doing) {
    long from = now();
    doing.run();
    return new CallSpan(from, now());
  }

  /** Everything so far. */
  public History history() {
    long now = now();
    return new History(
        calls.stream().map(call -> call.event(now)).toList(),
        crashes.stream().toList(),
        losses.stream().toList());
  }

  private Call<Verb> settle(
      Verb verb, String msgId, @Nullable String receipt, Duration visibility) {
    return enter(
        (span, outcome, answer) ->
            new Event.Settle(span, outcome, verb, msgId, receipt, visibility));
  }

  private <A> Call<A> enter(Shape<A> shape) {
    Call<A> call = new Call<>(shape);
    calls.add(call);
    return call;
  }

  private long now() {
    return clock.getAsLong() - origin;
  }

  private interface Shape<A> {
    Event event(CallSpan span, CallOutcome outcome, @Nullable A answer);
  }

  private record Return<A>(long at, CallOutcome outcome, @Nullable A answer) {}

  /** A call in progress. Exactly one of its methods is called, once, when the call has returned. */
  public final class Call<A> {
    private final Shape<A> shape;
    private final long invoked = now();
    private final AtomicReference<@Nullable Return<A>> end = new AtomicReference<>();

    private Call(Shape<A> shape) {
      this.shape = shape;
    }

    /** It was done. */
    public void ok(A answer) {
      end(OK, answer);
    }

    /** It was refused. */
    public void fail() {
      end(FAIL, null);
    }

    /** It may have been done. */
    public void unknown() {
      end(UNKNOWN, null);
    }

    private void end(CallOutcome outcome, @Nullable A answer) {
      if (!end.compareAndSet(null, new Return<>(now(), outcome, answer))) {
        throw new IllegalStateException("a call returns once");
      }
    }

    private Event event(long now) {
      Return<A> known = end.get();
      return known == null
          ? shape.event(new CallSpan(invoked, now), UNKNOWN, null)
          : shape.event(new CallSpan(invoked, known.at()), known.outcome(), known.answer());
    }
  }
}
