package org.svcmailbox.core.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
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

/** A stream whose window is full, a lease that ends, and a client that hangs up. */
class StreamWakeTest {
  private static final Receipt RECEIPT = new Receipt("r-1");
  private static final StreamRequest REQUEST =
      new StreamRequest(new TopicName("orders"), null, null, 1, 10, OnClose.KEEP, null);

  private static final class Message implements StreamWindow.Held {
    @Override
    public MsgId msgId() {
      return new MsgId(0, 1);
    }

    @Override
    public Receipt receipt() {
      return RECEIPT;
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
    private final AtomicInteger abandoned = new AtomicInteger();
    private final ConcurrentLinkedQueue<Runnable> turns = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    private final StreamWindow window =
        new StreamWindow(new CapacityLimit("all", "full", 10, () -> 0));
    private final MessageStream stream =
        new MessageStream(
            new Terms(
                "s",
                SampleCallers.OPERATOR,
                Door.HTTP,
                REQUEST,
                window,
                1,
                StreamEnd.AGE,
                Instant.EPOCH),
            this,
            this,
            new StreamMetrics("http", () -> Instant.EPOCH),
            this::nanos,
            (ended, end) -> {});
    private boolean isLookedAt;

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
    public boolean isDraining() {
      return false;
    }

    @Override
    public void run(Runnable turn) {
      turns.add(turn);
    }

    @Override
    public boolean isReady() {
      isLookedAt = window.unsettled() > 0;
      return true;
    }

    @Override
    public void message(long number, LeasedMessage message) {}

    @Override
    public void heartbeat(int unsettled, @Nullable Pause paused) {}

    @Override
    public void end(StreamEnd end, @Nullable Refusal why) {}
  }

  private final Scene scene = new Scene();

  @Test
  void aWindowThatOpensWhileItIsLookedAtIsSeen() {
    assertTrue(scene.window.tryEnter(new Message()));
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
}
