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
 * One stream's answer in JSON lines.
 *
 * <p>The service and the server only leave lines, or say that the client takes more. A thread for
 * requests does the work, one at a time per stream. It asks whether the client takes more, and
 * writes: servers may let only the thread write that has asked. Messages that come meanwhile share
 * its next write. It holds no lock while it writes, nor while it calls the service, which calls
 * this under a lock.
 */
final class NdjsonOutput implements StreamOutput, WriteListener {
  private static final Logger LOG = System.getLogger(NdjsonOutput.class.getName());

  /** The most writes of one turn, for other streams wait for the thread. */
  private static final int WRITES = 16;

  private final Function<Refusal, ProblemBody> problems;
  private final Backlog backlog;
  private final Chunks chunks;

  /** Reasons for a turn, which runs until there are none. The first one waits for the server. */
  private final AtomicInteger reasons = new AtomicInteger(1);

  private final AtomicBoolean isBegun = new AtomicBoolean();

  /** Turns of the stream that are to run before the next write. */
  private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Started started;

  /** The stream and its answer, once both are open. */
  private record Started(OpenStream stream, StreamedAnswer answer) {}

  /**
   * @param problems of refusals, as they are logged
   * @param chunk the most bytes of one write
   * @param span of the request
   */
  NdjsonOutput(
      Function<Refusal, ProblemBody> problems, LeasedBytes leased, int chunk, CallSpan span) {
    this.problems = problems;
    this.backlog = new Backlog(leased, chunk);
    this.chunks = new Chunks(backlog, chunk, span);
  }

  /** Begins to write, once the server says that the client takes something. */
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

  /** Ends the answer without a word. */
  private void hangUp() {
    Started known = started;
    if (backlog.end() && known != null) {
      known.answer().hangUp();
      work();
    }
  }

  /** The client is gone, or the server has ended the answer. Any thread. */
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
    // The client is gone, which is not a failure of the service.
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

  /** Writes until there is nothing to do, or for long; returns whether it was long. */
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

  /** All lines are on their way. */
  private void idle(Started known) {
    if (!backlog.isEnding()) {
      known.stream().ready();
    } else if (backlog.end()) {
      known.answer().complete();
    }
  }
}
