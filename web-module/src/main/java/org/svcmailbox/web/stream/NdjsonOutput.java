package org.svcmailbox.web.stream;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamOutput;
import org.svcmailbox.core.stream.StreamService.OpenStream;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.web.problem.ProblemBody;
import org.svcmailbox.web.servlet.LeasedBytes;
import org.svcmailbox.web.servlet.StreamedAnswer;

/**
 * One stream's answer as JSON lines.
 *
 * <p>The service only adds lines, and the server only reports that the client accepts more. A
 * request thread does the work, one at a time per stream. The same thread asks whether the client
 * accepts more and writes, because some servers let only the thread that asked write. Messages that
 * arrive meanwhile share its next write. It holds no lock while it writes, nor while it calls the
 * service, which itself calls this class under a lock.
 */
final class NdjsonOutput implements StreamOutput, WriteListener {
  private static final Logger LOG = System.getLogger(NdjsonOutput.class.getName());

  /** The most writes in a turn, because other streams wait for the thread. */
  private static final int WRITES = 16;

  private final Function<Refusal, ProblemBody> problems;
  private final Backlog backlog;
  private final Chunks chunks;

  /**
   * The number of reasons for a turn, which runs until there are none. The first reason is there
   * until the server reports that the client accepts output.
   */
  private final AtomicInteger reasons = new AtomicInteger(1);

  private final AtomicBoolean isBegun = new AtomicBoolean();

  /** Turns of the stream to run before the next write. */
  private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Started started;

  /** The stream and its answer, once both are open. */
  private record Started(OpenStream stream, StreamedAnswer answer) {}

  /**
   * @param problems converts refusals to problems, and logs them
   * @param chunk the most bytes of one write
   * @param span the request's span
   */
  NdjsonOutput(
      Function<Refusal, ProblemBody> problems, LeasedBytes leased, int chunk, CallSpan span) {
    this.problems = problems;
    this.backlog = new Backlog(leased, chunk);
    this.chunks = new Chunks(backlog, chunk, span);
  }

  /** Starts to write as soon as the server reports that the client accepts output. */
  void start(OpenStream stream, StreamedAnswer answer) {
    backlog.addFirst(ControlLines.open(stream.id(), stream.window()));
    started = new Started(stream, answer);
    if (backlog.isOver()) {
      stream.cut();
      answer.hangUp();
      return;
    }
    try {
      answer.output().setWriteListener(this);
    } catch (IllegalStateException e) {
      failed(e);
    }
  }

  @Override
  public void run(Runnable turn) {
    turns.add(turn);
    work();
  }

  @Override
  public boolean isReady() {
    return backlog.isReady();
  }

  @Override
  public boolean isFree() {
    return backlog.isEmpty();
  }

  @Override
  public boolean hasRoom() {
    return backlog.hasRoom();
  }

  @Override
  public void message(long number, LeasedMessage message) {
    add(new MessageLine(number, message));
  }

  @Override
  public void heartbeat(int unsettled, @Nullable Pause paused) {
    add(ControlLines.heartbeat(unsettled, paused));
  }

  private void add(Line line) {
    backlog.add(line);
    work();
  }

  @Override
  public void end(StreamEnd end, @Nullable Refusal why) {
    switch (end) {
      case SLOW, CUT, RESUMED -> hangUp();
      case AGE, DEADLINE, CLOSED, DRAIN, CAPABILITY, TOPIC, ERROR -> {
        backlog.addLast(ControlLines.end(end, why == null ? null : problems.apply(why)));
        work();
      }
    }
  }

  /** Ends the answer without a last line. */
  private void hangUp() {
    Started known = started;
    if (backlog.end() && known != null) {
      known.answer().hangUp();
      work();
    }
  }

  /** Ends the answer because the client is gone or the server has ended it. Any thread. */
  void cut() {
    Started known = started;
    if (backlog.end() && known != null) {
      known.stream().cut();
      known.answer().hangUp();
      work();
    }
  }

  @Override
  public void onWritePossible() {
    Started known = requireNonNull(started);
    if (isBegun.compareAndSet(false, true)) {
      execute(known);
    } else {
      work();
    }
  }

  @Override
  public void onError(Throwable failure) {
    failed(failure);
  }

  private void failed(Throwable failure) {
    // The client is gone, which is no failure of the service.
    LOG.log(Level.DEBUG, "A stream failed: {0}", failure.toString());
    cut();
  }

  private void work() {
    if (reasons.getAndIncrement() == 0) {
      execute(requireNonNull(started));
    }
  }

  private void execute(Started known) {
    try {
      known.answer().execute(() -> turn(known));
    } catch (RejectedExecutionException | IllegalStateException e) {
      // The server is stopping, or has ended the answer.
      failed(e);
      chunks.discard();
    }
  }

  private void turn(Started known) {
    int seen = reasons.get();
    while (seen != 0) {
      if (hasMore(known)) {
        execute(known);
        return;
      }
      seen = reasons.addAndGet(-seen);
    }
  }

  /** Writes until there is nothing to do or the turn has lasted long; returns whether it has. */
  private boolean hasMore(Started known) {
    ServletOutputStream output = known.answer().output();
    try {
      for (int i = 0; i < WRITES; i++) {
        runTurns();
        if (backlog.isOver()) {
          chunks.discard();
          return false;
        }
        if (!backlog.isWritable(output.isReady())) {
          return false;
        }
        if (!chunks.write(output)) {
          idle(known);
          return false;
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      failed(e);
      return false;
    }
  }

  private void runTurns() {
    for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
      turn.run();
    }
  }

  /** Called when all lines are written. */
  private void idle(Started known) {
    if (!backlog.isEnding()) {
      known.stream().ready();
    } else if (backlog.end()) {
      known.answer().complete();
    }
  }
}
