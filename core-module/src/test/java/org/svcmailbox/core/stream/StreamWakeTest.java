package org.svcmailbox.core.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.stream.MessageStream.Terms;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamService.Door;

/** A stream whose window is full, leases that end, and a client that hangs up. */
class StreamWakeTest {
  private static final Receipt RECEIPT = receipt(1);

  /** The smallest one of which one message is too little for a RECV. */
  private static final int LARGE = 2 * MessageStream.WORTHWHILE;

  private record Message(Receipt receipt) implements StreamWindow.Held {
    @Override
    public MsgId msgId() {
      return new MsgId(0, 1);
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public void giveBack() {}
  }

  private static final class Scene implements StreamPorts, StreamOutput {
    private final AtomicInteger receives = new AtomicInteger();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final ConcurrentLinkedQueue<Runnable> turns = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    private final StreamWindow window =
        new StreamWindow(new CapacityLimit("all", "full", 100, () -> 0));
    private final MessageStream stream;
    private boolean isFree = true;
    private boolean isLookedAt;

    Scene(int messages) {
      stream =
          new MessageStream(
              new Terms(
                  "s",
                  SampleCallers.OPERATOR,
                  Door.HTTP,
                  new StreamRequest(
                      new TopicName("orders"), null, null, messages, 100, OnClose.KEEP, null),
                  window,
                  1,
                  StreamEnd.AGE,
                  Instant.EPOCH),
              this,
              this,
              new StreamMetrics("http", () -> Instant.EPOCH),
              this::nanos,
              (ended, end) -> {});
    }

    /** A stream whose window is full. */
    static Scene full(int messages) {
      Scene scene = new Scene(messages);
      for (int i = 1; i <= messages; i++) {
        assertTrue(scene.window.tryEnter(new Message(receipt(i))));
      }
      scene.stream.ready();
      scene.runTurns();
      return scene;
    }

    void settle(int number) {
      window.left(receipt(number));
      runTurns();
    }

    void runLater() {
      for (Runnable task = later.poll(); task != null; task = later.poll()) {
        task.run();
      }
      runTurns();
    }

    private void runTurns() {
      for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
        turn.run();
      }
    }

    /** The lease ends when the stream has seen that its window is full, and has not said so. */
    private long nanos() {
      if (isLookedAt) {
        isLookedAt = false;
        window.left(RECEIPT);
      }
      return 0;
    }

    @Override
    public PendingRecv recv(Caller caller, RecvRequest request, StreamWindow counted) {
      receives.incrementAndGet();
      return new PendingRecv() {
        @Override
        public CompletionStage<RecvOutcome> outcome() {
          return outcome;
        }

        @Override
        public void abandon() {
          abandoned.incrementAndGet();
        }
      };
    }

    @Override
    public void check(RecvRequest request) {}

    @Override
    public void settle(Caller caller, SettleRequest request) {}

    @Override
    public void countCall(Caller caller) {}

    @Override
    public Standing standing(TopicName topic) {
      return Standing.SERVED;
    }

    @Override
    public void later(Duration time, Runnable task) {
      later.add(task);
    }

    @Override
    public boolean isDraining() {
      return false;
    }

    @Override
    public void run(Runnable turn) {
      turns.add(turn);
    }

    @Override
    public boolean isReady() {
      isLookedAt = window.unsettled() == 1;
      return true;
    }

    @Override
    public boolean isFree() {
      return isFree;
    }

    @Override
    public void message(long number, LeasedMessage message) {}

    @Override
    public void heartbeat(int unsettled, @Nullable Pause paused) {}

    @Override
    public void end(StreamEnd end, @Nullable Refusal why) {}
  }

  private final Scene scene = new Scene(1);

  private static Receipt receipt(int number) {
    return new Receipt("r-" + number);
  }

  @Test
  void aWindowThatOpensWhileItIsLookedAtIsSeen() {
    assertTrue(scene.window.tryEnter(new Message(RECEIPT)));
    scene.stream.ready();
    assertEquals(0, scene.window.unsettled());
    scene.runTurns();
    assertEquals(1, scene.receives.get());
  }

  @Test
  void anOutcomeThatNoTurnSawIsGivenBack() {
    scene.stream.ready();
    scene.outcome.complete(RecvOutcome.Delivered.NONE);
    scene.stream.cut();
    scene.runTurns();
    assertTrue(scene.abandoned.get() > 0);
    assertEquals(1, scene.receives.get());
  }

  @Test
  void anOutcomeAfterTheEndIsGivenBack() {
    scene.stream.ready();
    scene.stream.cut();
    int before = scene.abandoned.get();
    scene.outcome.complete(RecvOutcome.Delivered.NONE);
    scene.runTurns();
    assertEquals(before + 1, scene.abandoned.get());
  }

  @Test
  void aLargeWindowIsRefilledInPartsThatAreWorthwhile() {
    Scene large = Scene.full(LARGE);
    large.settle(1);
    assertEquals(0, large.receives.get());
    large.settle(2);
    assertEquals(1, large.receives.get());
  }

  @Test
  void lessRoomIsUsedAfterAMoment() {
    Scene large = Scene.full(LARGE);
    large.settle(1);
    large.runLater();
    assertEquals(1, large.receives.get());
  }

  @Test
  void aSmallWindowIsRefilledAtOnce() {
    Scene small = Scene.full(LARGE - 1);
    small.settle(1);
    assertEquals(1, small.receives.get());
  }

  @Test
  void aStreamThatLingersAsksOnce() {
    Scene large = Scene.full(3 * MessageStream.WORTHWHILE);
    large.settle(1);
    large.settle(2);
    assertEquals(1, large.later.size());
    large.settle(3);
    large.runLater();
    assertEquals(1, large.receives.get());
    assertEquals(0, large.later.size());
  }

  @Test
  void nothingIsReceivedWhileWhatCameIsBeingWritten() {
    scene.isFree = false;
    scene.stream.ready();
    assertEquals(0, scene.receives.get());
    scene.isFree = true;
    scene.stream.ready();
    assertEquals(1, scene.receives.get());
  }
}
