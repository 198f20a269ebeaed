package org.svcmailbox.core.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.SendLog.Adoption;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.Reserved;
import org.svcmailbox.core.sendlog.LogStanding.Verdict;

class BatchStandingTest {
  /** Each batch is its number and stamp, as in 4:7. */
  @ParameterizedTest
  @CsvSource({
    "0:0, 0:0, 0:0, AGREED",
    "4:7, 3:7, 4:7, AGREED",
    "4:7, 2:6, 4:7, AGREED",
    "1:7, 0:0, 0:0, IN_DOUBT",
    "4:7, 3:7, 3:7, IN_DOUBT",
    "9:7, 3:6, 3:6, IN_DOUBT",
    "4:7, 4:6, 4:6, IN_DOUBT",
    "4:7, 3:7, 5:7, DATABASE_OLDER",
    "0:0, 0:0, 1:7, DATABASE_OLDER",
    "4:7, 3:7, 2:7, BROKER_OLDER",
    "4:7, 3:7, 0:0, BROKER_OLDER",
    "4:7, 3:7, 3:6, FOREIGN",
    "4:7, 3:7, 4:6, FOREIGN",
    "9:7, 3:7, 5:7, FOREIGN",
  })
  void eachDifferenceHasItsVerdict(String last, String confirmed, String logged, Verdict verdict) {
    assertEquals(verdict, standing(last, confirmed, logged).verdict());
  }

  @Test
  void anOlderDatabaseSkipsWhatTheLostBatchesCanHaveGiven() {
    assertEquals(
        new Adoption(3, new BatchId(6, 7), 4, 2L * Batch.MAX_ROWS),
        standing("4:7", "3:7", "6:7").adoption());
  }

  @Test
  void anOlderBrokerCostsTheKeysOfWhatItLost() {
    assertEquals(
        new Adoption(3, new BatchId(2, 7), 2, 0), standing("4:7", "3:7", "2:7").adoption());
  }

  @Test
  void anotherHistoryCostsAllKeysOfTheWorker() {
    assertEquals(
        new Adoption(3, new BatchId(4, 6), 0, 1L << 32), standing("4:7", "3:7", "4:6").adoption());
  }

  @Test
  void nothingIsTakenOverFromStoresThatBelongTogether() {
    assertThrows(IllegalStateException.class, standing("4:7", "3:7", "4:7")::adoption);
    assertThrows(IllegalStateException.class, standing("4:7", "3:7", "3:7")::adoption);
  }

  /** The next start finds nothing wrong. */
  @ParameterizedTest
  @CsvSource({"6:7", "2:7", "4:6", "3:6", "0:0"})
  void whatWasTakenOverIsSettled(String logged) throws Exception {
    InMemorySendLog log = new InMemorySendLog(() -> SendLogContract.NOW);
    SampleShard shard = new SampleShard(1, 0);
    for (int number = 1; number <= 4; number++) {
      log.reserve(
          new Batch(
              3, new BatchId(number, 7), List.of(shard.row("k" + number, SendLogContract.LATER))));
    }
    log.adopt(new BatchStanding(3, log.lastBatch(3), id(logged)).adoption());
    Verdict verdict = new BatchStanding(3, log.lastBatch(3), id(logged)).verdict();
    assertEquals(false, verdict.isMismatch(), verdict.name());
  }

  private static BatchStanding standing(String last, String confirmed, String logged) {
    return new BatchStanding(3, new Reserved(id(last), id(confirmed)), id(logged));
  }

  private static BatchId id(String text) {
    String[] parts = text.split(":", 2);
    return new BatchId(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }
}
