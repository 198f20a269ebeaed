package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.ejb.store.ServerUrl;

/**
 * What the embedded database still has after the disk under it lost all that was not synced. Needs
 * root and a loop device; skipped where they are not to be had.
 */
class DatabasePowerCutTest {
  private static final int TRIES = 4;
  private static final int KILLED = 128 + 9;
  private static final long SEED = Long.getLong("mailbox.kill.seed", System.nanoTime());

  private final Random random = new Random(SEED);

  private final Path directory = Path.of("target", "power-cut").toAbsolutePath();

  @BeforeEach
  void skipWithoutADisk() throws IOException {
    Optional<String> obstacle = LoopDisk.obstacle(directory);
    Assumptions.assumeTrue(obstacle.isEmpty(), () -> "no power cut: " + obstacle.orElseThrow());
  }

  @Test
  void everyAnnouncedBatchSurvivesAPowerCut() throws IOException, SQLException {
    assertEquals(List.of(), faultsAfterACut(ServerUrl.read()), "-Dmailbox.kill.seed=" + SEED);
  }

  /** Otherwise the test above would prove nothing. */
  @Test
  void theCutLosesWhatIsNotSynced() throws IOException, SQLException {
    ServerUrl hasty = ServerUrl.read().with("synchronous", "NORMAL");
    boolean lost = false;
    for (int tries = 0; tries < TRIES && !lost; tries++) {
      lost = faultsAfterACut(hasty).stream().anyMatch(fault -> fault.endsWith("is missing"));
    }
    assertTrue(lost, "nothing was lost in " + TRIES + " cuts");
  }

  private List<String> faultsAfterACut(ServerUrl url) throws IOException, SQLException {
    try (LoopDisk disk = LoopDisk.create(directory)) {
      Path file = disk.root().resolve("mailbox.db");
      List<Announced> announced = writeUntilCut(url, disk, file);
      disk.remount();
      return Survivors.faults(url, file, announced);
    }
  }

  private List<Announced> writeUntilCut(ServerUrl url, LoopDisk disk, Path file)
      throws IOException {
    try (WriterProcess writer = WriterProcess.start(url, file, random.nextLong(), directory)) {
      writer.awaitBatches(100 + random.nextInt(200));
      disk.cutPower(file);
      // It must find out by itself; what it announces until then counts.
      assertNotEquals(KILLED, writer.awaitEnd(), "went on announcing on a dead disk");
      return writer.announced();
    }
  }
}
