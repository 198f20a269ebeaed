package org.svcmailbox.core.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.problem.UnavailableException;

class InMemorySendLogTest implements SendLogContract {
  private final InMemorySendLog log = new InMemorySendLog(InstantSource.fixed(NOW));
  private final Batch batch =
      SampleBatch.of(0, 1, new SampleShard(1, 0).rows("k", 3, NOW.plusSeconds(60)));

  @Override
  public SendLog log() {
    return log;
  }

  @Test
  void aFaultBeforeTheWriteLeavesNothing() throws KeyTakenException {
    log.failNext(Fault.BEFORE);
    assertThrows(UnavailableException.class, () -> log.reserve(batch));
    assertEquals(0, log.countKeys());
    assertEquals(List.of(), log.workers());
    log.reserve(batch);
    assertEquals(3, log.countKeys());
  }

  @Test
  void aFaultAfterTheWriteLeavesEverything() {
    log.failNext(Fault.AFTER);
    assertThrows(UnavailableException.class, () -> log.reserve(batch));
    assertEquals(3, log.countKeys());
    assertEquals(1, log.lastBatch(0).last().number());
    log.withdraw(0, 1);
    assertEquals(0, log.countKeys());
  }
}
