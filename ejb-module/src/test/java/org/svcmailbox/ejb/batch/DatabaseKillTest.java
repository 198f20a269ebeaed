package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.ejb.store.ServerUrl;

/**
 * The embedded database after the process that wrote to it was killed. More rounds with {@code
 * -Ddatabase.kill.rounds}.
 */
class DatabaseKillTest {
  private static final int ROUNDS = Integer.getInteger("mailbox.kill.rounds", 1);
  private static final long SEED = Long.getLong("mailbox.kill.seed", System.nanoTime());

  private final Random random = new Random(SEED);

  @TempDir private Path directory;

  @Test
  void everyAnnouncedBatchSurvivesAKill() throws IOException, SQLException {
    ServerUrl url = ServerUrl.read();
    Path file = directory.resolve("mailbox.db");
    List<Announced> announced = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      announced.addAll(writeUntilKilled(url, file));
      assertEquals(
          List.of(),
          Survivors.faults(url, file, announced),
          "round " + round + " of -Dmailbox.kill.seed=" + SEED);
    }
  }

  private List<Announced> writeUntilKilled(ServerUrl url, Path file) throws IOException {
    try (WriterProcess writer = WriterProcess.start(url, file, random.nextLong(), directory)) {
      writer.awaitBatches(100 + random.nextInt(200));
      // Awaits nothing: the kill shall not always meet the moment after an announcement.
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(20)));
      writer.kill();
      return writer.announced();
    }
  }
}
