package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerQueueTest {
  private final PeerQueue<Integer> queue = new PeerQueue<>();

  private List<Integer> begun() {
    PeerQueue.Frame<Integer> frame = queue.begin(PeerQueue.MOST_FRAMES);
    return frame == null ? List.of() : frame.calls();
  }

  private static List<Integer> from(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }

  @Test
  void callsLeaveInOrderSixtyFourAtATime() {
    from(0, 100).forEach(call -> assertTrue(queue.offer(call, 10, 0)));
    assertEquals(from(0, 64), begun());
    assertEquals(from(64, 36), begun());
    assertEquals(List.of(), begun());
  }

  @Test
  void aFrameHasAMebibyteUnlessItIsOneCall() {
    int half = PeerCodec.FULL / 2;
    List<Integer> sizes = List.of(2 * PeerCodec.FULL, half, half, 1, half, half + 1);
    for (int i = 0; i < sizes.size(); i++) {
      assertTrue(queue.offer(i, sizes.get(i), 0));
    }
    assertEquals(List.of(0), begun());
    assertEquals(List.of(1, 2), begun());
    assertEquals(List.of(3, 4), begun());
    assertEquals(List.of(5), begun());
  }

  @Test
  void fourFramesAreUnderWayAtMost() {
    List<PeerQueue.Frame<Integer>> frames = new ArrayList<>();
    for (int i = 0; i < PeerQueue.MOST_FRAMES; i++) {
      assertTrue(queue.offer(i, 1, 0));
      frames.add(queue.begin(PeerQueue.MOST_FRAMES));
    }
    assertTrue(queue.offer(9, 1, 0));
    assertTrue(queue.offer(10, 1, 0));
    assertNull(queue.begin(PeerQueue.MOST_FRAMES));
    queue.end(frames.get(2));
    assertEquals(List.of(9, 10), begun());
    assertNull(queue.begin(PeerQueue.MOST_FRAMES));
  }

  @Test
  void callsCountUntilTheirFrameHasEnded() {
    from(0, PeerQueue.MOST_CALLS).forEach(call -> assertTrue(queue.offer(call, 1, 0)));
    assertFalse(queue.offer(-1, 1, 0));
    PeerQueue.Frame<Integer> frame = queue.begin(1);
    assertNotNull(frame);
    assertFalse(queue.offer(-1, 1, 0), "its calls are under way");
    queue.end(frame);
    from(0, PeerCodec.MOST_CALLS).forEach(call -> assertTrue(queue.offer(call, 1, 0)));
    assertFalse(queue.offer(-1, 1, 0));
    assertEquals(PeerQueue.MOST_CALLS, queue.calls());
  }

  @Test
  void bytesCountUntilTheirFrameHasEnded() {
    int half = (int) (PeerQueue.MOST_BYTES / 2);
    assertTrue(queue.offer(1, half, 0));
    assertTrue(queue.offer(2, half, 0));
    assertFalse(queue.offer(3, 1, 0));
    PeerQueue.Frame<Integer> frame = queue.begin(1);
    assertNotNull(frame);
    assertFalse(queue.offer(3, 1, 0));
    queue.end(frame);
    assertTrue(queue.offer(3, half, 0));
    assertEquals(PeerQueue.MOST_BYTES, queue.bytes());
  }

  @Test
  void callsThatWaitTooLongComeBack() {
    assertTrue(queue.offer(1, 5, Long.MAX_VALUE));
    assertTrue(queue.offer(2, 5, Long.MIN_VALUE));
    assertTrue(queue.offer(3, 5, Long.MIN_VALUE + 1));
    assertEquals(List.of(), queue.removeOlder(Long.MAX_VALUE - 1));
    assertEquals(List.of(1, 2), queue.removeOlder(Long.MIN_VALUE));
    assertEquals(5, queue.bytes());
    assertEquals(1, queue.calls());
    assertEquals(List.of(3), begun());
  }
}
