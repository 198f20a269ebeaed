package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;

class ClockWatchTest {
  private Duration ahead = Duration.ZERO;
  private int released;
  private boolean away;

  private final ClockWatch watch = new ClockWatch(() -> ahead, this::release);

  private void release() {
    if (away) {
      throw new UnavailableException("the broker is away");
    }
    released++;
  }

  @Test
  void aClockSetBackReleasesOnce() {
    watch.look();
    assertEquals(0, released);
    ahead = Duration.ofMinutes(-2);
    watch.look();
    watch.look();
    assertEquals(1, released);
  }

  @Test
  void aClockSetForwardReleasesNothingUntilItIsSetBack() {
    ahead = Duration.ofMinutes(2);
    watch.look();
    assertEquals(0, released);
    ahead = Duration.ZERO;
    watch.look();
    assertEquals(1, released);
  }

  @Test
  void whatCouldNotBeDoneIsDoneLater() {
    ahead = Duration.ofMinutes(-2);
    away = true;
    assertThrows(UnavailableException.class, watch::look);
    away = false;
    watch.look();
    assertEquals(1, released);
  }

  @Test
  void whatAClockDriftsIsNoMove() {
    ahead = Duration.ofMillis(-499);
    watch.look();
    assertEquals(0, released);
  }
}
