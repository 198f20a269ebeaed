package org.svcmailbox.core.route;

import static org.svcmailbox.test.concurrent.Interleavings.assertFound;
import static org.svcmailbox.test.concurrent.Interleavings.check;
import static org.svcmailbox.test.concurrent.Interleavings.together;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers race frames for a queue with room for two calls. */
@Tag("race")
class PeerQueueRaceTest {
  /** A queue, as callers and frames see it. */
  private interface Subject {
    boolean offer(String call);

    /** Sends and ends a frame; returns its calls. */
    List<String> frame();

    int calls();
  }

  private static final class Real implements Subject {
    private final PeerQueue<String> queue = new PeerQueue<>(1, 2);

    @Override
    public boolean offer(String call) {
      return queue.offer(call, 1, 0);
    }

    @Override
    public List<String> frame() {
      PeerQueue.Frame<String> frame = queue.begin(PeerQueue.MOST_FRAMES);
      if (frame == null) {
        return List.of();
      }
      queue.end(frame);
      return frame.calls();
    }

    @Override
    public int calls() {
      return queue.calls();
    }
  }

  /** Looks for room first, and copies what waits before it removes that. */
  private static final class Racy implements Subject {
    private final List<String> waiting = new ArrayList<>();

    @Override
    public boolean offer(String call) {
      synchronized (waiting) {
        if (waiting.size() == 1) {
          return false;
        }
      }
      synchronized (waiting) {
        return waiting.add(call);
      }
    }

    @Override
    public List<String> frame() {
      List<String> taken;
      synchronized (waiting) {
        taken = new ArrayList<>(waiting);
      }
      synchronized (waiting) {
        waiting.clear();
      }
      return taken;
    }

    @Override
    public int calls() {
      synchronized (waiting) {
        return waiting.size();
      }
    }
  }

  /** Two callers: one gets in. */
  private static void fill(Supplier<Subject> subjects) {
    Subject queue = subjects.get();
    boolean[] in = new boolean[2];
    together(() -> in[0] = queue.offer("a"), () -> in[1] = queue.offer("b"));
    if (in[0] == in[1] || queue.calls() != 1) {
      throw new AssertionError("room for one, and " + queue.calls() + " are in");
    }
  }

  /** A caller and a frame: the accepted call leaves once. */
  private static void send(Supplier<Subject> subjects) {
    Subject queue = subjects.get();
    boolean[] in = new boolean[1];
    List<String> sent = new ArrayList<>();
    together(() -> in[0] = queue.offer("a"), () -> sent.addAll(queue.frame()));
    sent.addAll(queue.frame());
    if (!in[0] || sent.size() != 1 || queue.calls() != 0) {
      throw new AssertionError("accepted " + in[0] + ", sent " + sent);
    }
  }

  @Test
  void aFullQueueTakesNothing() {
    check(() -> fill(() -> new Real()));
  }

  @Test
  void eachAcceptedCallLeavesOnce() {
    check(() -> send(() -> new Real()));
  }

  @Test
  void aQueueThatLooksFirstIsCaught() {
    assertFound("room for one", () -> fill(() -> new Racy()));
    assertFound("accepted true, sent []", () -> send(() -> new Racy()));
  }
}
