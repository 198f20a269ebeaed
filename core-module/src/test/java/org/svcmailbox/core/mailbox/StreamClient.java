package org.svcmailbox.core.mailbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamOutput;
import org.svcmailbox.core.stream.StreamService.OpenStream;

/** A client's end of a stream; turns wait until {@link #run}. */
final class StreamClient implements StreamOutput {
  record Got(long number, LeasedMessage message) {}

  record Beat(int unsettled, @Nullable Pause paused) {}

  final List<Got> got = new ArrayList<>();
  final List<Beat> beats = new ArrayList<>();
  final List<StreamEnd> ends = new ArrayList<>();
  @Nullable Refusal why;

  /** How many more messages the connection takes. */
  int room = Integer.MAX_VALUE;

  /** Whether all outputs together may hold more. */
  boolean hasRoom = true;

  /** Sees each message when it is written. */
  Consumer<Got> onMessage = one -> {};

  private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
  private @Nullable OpenStream stream;

  StreamClient opened(OpenStream by) {
    stream = by;
    by.ready();
    return this;
  }

  OpenStream stream() {
    OpenStream opened = stream;
    if (opened == null) {
      throw new AssertionError("not open");
    }
    return opened;
  }

  /** Runs the turns that wait; whether there were any. */
  boolean run() {
    Runnable turn = turns.poll();
    boolean any = turn != null;
    while (turn != null) {
      turn.run();
      turn = turns.poll();
    }
    return any;
  }

  /** The client reads: the connection takes so many more messages. */
  void takes(int more) {
    room = more;
    stream().ready();
  }

  @Override
  public void run(Runnable turn) {
    turns.add(turn);
  }

  @Override
  public boolean isReady() {
    return room > 0;
  }

  @Override
  public boolean hasRoom() {
    return hasRoom;
  }

  @Override
  public void message(long number, LeasedMessage message) {
    write();
    Got one = new Got(number, message);
    got.add(one);
    onMessage.accept(one);
  }

  private void write() {
    if (room <= 0 || !ends.isEmpty()) {
      throw new AssertionError("written when not ready");
    }
    room--;
  }

  @Override
  public void heartbeat(int unsettled, @Nullable Pause paused) {
    if (room <= 0 || !ends.isEmpty()) {
      throw new AssertionError("written when not ready");
    }
    beats.add(new Beat(unsettled, paused));
  }

  @Override
  public void end(StreamEnd end, @Nullable Refusal refusal) {
    ends.add(end);
    why = refusal;
  }
}
