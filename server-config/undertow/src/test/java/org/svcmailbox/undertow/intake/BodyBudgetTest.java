package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

class BodyBudgetTest {
  private static final int LARGE = 40 << 20;

  @Test
  void budgetIsRefusedWhenUsedUpAndGivenBack() throws Exception {
    byte[] body = new byte[LARGE];
    try (IntakeServer server = IntakeServer.with().maxBody(LARGE).start();
        RawConnection first = RawConnection.to(server.address());
        RawConnection second = RawConnection.to(server.address())) {
      first.send(RawConnection.head("/", RawConnection.length(LARGE))).send(new byte[LARGE - 1]);
      server.await("body_bytes", LARGE);

      // Another deployment, the same memory.
      second.send(RawConnection.head("/console/", RawConnection.length(LARGE))).send(body);
      Response refusal = second.receive();
      assertEquals(503, refusal.status());
      assertEquals("1", refusal.header("retry-after"));
      assertTrue(refusal.body().contains("\"reason\":\"body_bytes\""), refusal::body);
      assertTrue(second.isEnded());
      assertEquals(1, server.count("rejected.body_bytes"));
      server.await("body_bytes", LARGE);

      first.send(new byte[1]);
      assertEquals(DoorServlet.seen(body), first.receive().body());
      server.await("body_bytes", 0);

      first.send(RawConnection.head("/", RawConnection.length(LARGE))).send(new byte[LARGE - 1]);
      server.await("body_bytes", LARGE);
      first.reset();
      server.await("body_bytes", 0);
      try (RawConnection third = RawConnection.to(server.address())) {
        third.send(RawConnection.head("/", RawConnection.length(LARGE))).send(body);
        assertEquals(DoorServlet.seen(body), third.receive().body());
      }
    }
  }
}
