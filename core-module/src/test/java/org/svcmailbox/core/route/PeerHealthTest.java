package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.time.TestTime;

class PeerHealthTest {
  private final TestTime time = new TestTime();
  private final PeerHealth health = new PeerHealth();

  /**
   * {@code f}: a frame fails; {@code s}: one succeeds; {@code ?}: frames are asked for; a number:
   * so many milliseconds pass.
   */
  @ParameterizedTest
  @CsvSource({
    "'', 4",
    "f, 4",
    "f 1000 f, 0",
    "f 1001 f, 4",
    "f 1001 f 1000 f, 0",
    "f s f, 4",
    "f f, 0",
    "f f 249, 0",
    "f f 250, 1",
    "f f 250 ?, 0",
    "f f 250 ? 249, 0",
    "f f 250 ? 250, 1",
    "f f 250 ? f 249, 0",
    "f f 250 ? f 250, 1",
    "f f 250 ? s, 4",
    "f f s f, 4",
    "f f 60000, 1",
  })
  void framesThatMayBeUnderWay(String story, int frames) {
    for (String event : story.isEmpty() ? new String[0] : story.split(" ")) {
      switch (event) {
        case "f" -> health.failed(time.nanos());
        case "s" -> health.succeeded();
        case "?" -> assertEquals(1, health.frames(time.nanos()));
        default -> time.advance(Duration.ofMillis(Long.parseLong(event)));
      }
    }
    assertEquals(frames, health.frames(time.nanos()));
  }
}
