package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.test.log.OwnLog;

class LostSessionsTest {
  private static final WorkerId FIRST = WorkerId.of(0);
  private static final WorkerId SECOND = WorkerId.of(1);

  private final LostSessions lost = new LostSessions();

  @Test
  void anOutageHasALineForEachReasonAndOneAtItsEnd() {
    try (OwnLog log = new OwnLog(LostSessions.class.getName())) {
      lost.opened(FIRST);
      for (int attempt = 0; attempt < 100; attempt++) {
        lost.lost(FIRST, "away");
        lost.lost(SECOND, attempt % 2 == 0 ? "away" : "silent");
      }
      lost.opened(SECOND);
      lost.lost(SECOND, "away");
      lost.opened(FIRST);
      lost.opened(SECOND);
      lost.opened(SECOND);
      lost.lost(SECOND, "away");
      assertEquals(
          List.of(
              "WARNING Worker 0 has no broker session: away",
              "WARNING Worker 1 has no broker session: silent",
              "INFO All workers have a broker session again",
              "WARNING Worker 1 has no broker session: away"),
          log.lines());
    }
  }
}
