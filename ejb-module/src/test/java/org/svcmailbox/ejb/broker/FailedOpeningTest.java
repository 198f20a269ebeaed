package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.test.concurrent.Deadline;

/** A worker's session that cannot be opened leaves nothing behind in the broker. */
@SuppressWarnings("NullAway.Init")
final class FailedOpeningTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  @Test
  void noLinkStaysWhenManagementRefuses() {
    try (ListeningBroker broker = new ListeningBroker(directory, false, same -> {});
        ArtemisBroker adapter =
            new ArtemisBroker(
                broker.access(),
                InstantSource.system(),
                InstantSource.system(),
                topic -> SOON,
                false)) {
      broker.refuseManagement();
      UnavailableException refused =
          assertThrows(UnavailableException.class, () -> SampleLog.open(adapter, 0));
      assertTrue(String.valueOf(refused.getMessage()).contains("read the settings"));
      Deadline.in(SOON).await(() -> broker.sessions() == 0, () -> "the end of every session");
    }
  }
}
