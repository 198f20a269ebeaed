package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

class BodyBudgetTest {
  private static final int LARGE = 40 << 20;
  private static final String ANNA = "Authorization: Bearer anna";
  private static final String BERT = "Authorization: Bearer bert";

  private static IntakeServer server() throws ServletException {
    return IntakeServer.with()
        .maxBody(LARGE)
        .owners((path, header) -> header, (path, header) -> header)
        .start();
  }

  @Test
  void budgetIsRefusedWhenUsedUpAndGivenBack() throws Exception {
    byte[] body = new byte[LARGE];
    try (IntakeServer server = server();
        RawConnection first = RawConnection.to(server.address());
        RawConnection second = RawConnection.to(server.address())) {
      first
          .send(RawConnection.head("/", RawConnection.length(LARGE), ANNA))
          .send(new byte[LARGE - 1]);
      server.await("body_bytes", LARGE);

      second.send(RawConnection.head("/", RawConnection.length(LARGE), BERT)).send(body);
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

      first
          .send(RawConnection.head("/", RawConnection.length(LARGE), ANNA))
          .send(new byte[LARGE - 1]);
      server.await("body_bytes", LARGE);
      first.reset();
      server.await("body_bytes", 0);
      try (RawConnection third = RawConnection.to(server.address())) {
        third.send(RawConnection.head("/", RawConnection.length(LARGE), ANNA)).send(body);
        assertEquals(DoorServlet.seen(body), third.receive().body());
      }
    }
  }

  @Test
  void ownerOfMuchLeavesAShareToTheOthers() {
    AtomicLong total = new AtomicLong();
    BodyBudget budget = new BodyBudget(100, total);
    for (int i = 0; i < 75; i++) {
      assertTrue(budget.take("much", 1, 75), () -> total + " are taken");
    }
    assertFalse(budget.take("much", 1, 75));
    assertTrue(budget.take("little", 18, 75));
    assertFalse(budget.take("little", 1, 75), "three times what is free after it");
    assertFalse(budget.take("late", 8, 75), "more than there is");
    assertTrue(budget.take("late", 7, 75));
    assertEquals(100, total.get());
    budget.give("much", 75);
    budget.give("little", 18);
    assertTrue(budget.take("late", 50, 75));
    budget.give("late", 57);
    assertEquals(0, total.get());
    assertTrue(budget.take("alone", 1, 100));
    assertTrue(budget.take("alone", 99, 100));
  }
}
