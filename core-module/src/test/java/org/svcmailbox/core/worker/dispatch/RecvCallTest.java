package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.LeasingScene;

class RecvCallTest {
  private static final int MESSAGES = 3;
  private static final long BYTES = 100;

  private static RecvCall call(@Nullable StreamWindow window) {
    return new RecvCall(
        SampleCallers.OPERATOR,
        LeasingScene.TOPIC,
        new RecvRequest(
            LeasingScene.TOPIC.name(), null, MESSAGES, BYTES, RecvRequest.MAX_WAIT, null),
        Duration.ofSeconds(5),
        window,
        0,
        0,
        1);
  }

  @Test
  void aCallOfAStreamGetsWhatTheWindowHasRoomForAtHandOut() {
    StreamWindow window = new StreamWindow(new CapacityLimit("all", "full", 10, () -> 0));
    window.open(MESSAGES, BYTES, () -> {});
    Lease lease = new LeasingScene(1).leases.get(0);
    assertTrue(window.tryEnter(new StreamHold(lease, unread -> {})));
    RecvCall call = call(window);
    assertEquals(MESSAGES - 1, call.mostMessages());
    assertEquals(BYTES - lease.size(), call.mostBytes());
    window.left(lease.receipt());
    assertEquals(MESSAGES, call.mostMessages());
    assertEquals(BYTES, call.mostBytes());
  }

  @Test
  void anyOtherCallGetsWhatItAsksFor() {
    assertEquals(MESSAGES, call(null).mostMessages());
    assertEquals(BYTES, call(null).mostBytes());
  }
}
