package org.svcmailbox.bench.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncProbeTest {
  private static final long LONG = SyncProbe.LONG.toNanos();

  @Test
  void aSlowSyncIsRecorded() {
    List<Span> seen = new ArrayList<>();
    SyncProbe.note(seen, 1_000, 1_000 + LONG - 1);
    assertEquals(List.of(), seen);
    SyncProbe.note(seen, 2_000, 2_000 + LONG);
    assertEquals(List.of(new Span("slow sync beside", 2_000, 2_000 + LONG)), seen);
  }

  @Test
  void itEndsAndLeavesNothing(@TempDir Path directory) throws Exception {
    long before = System.nanoTime();
    List<Span> seen = new SyncProbe(directory).begin().end();
    long after = System.nanoTime();
    assertTrue(seen.stream().allMatch(span -> span.from() >= before && span.until() <= after));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void aFailedWriteIsReported(@TempDir Path directory) {
    Watch probe = new SyncProbe(directory.resolve("missing")).begin();
    assertThrows(IOException.class, probe::end);
  }
}
