package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.bounds.InflightLimits.Full;
import org.svcmailbox.core.worker.state.LeasingScene;

class LeaseBatchTest {
  /** A worker whose call it stopped has to look again; it hears of the end of its own leases. */
  @ParameterizedTest
  @EnumSource
  void anyLimitButTheCapabilitysOwnMayGetRoomFromOtherWorkers(Full full) {
    assertEquals(full != Full.HOLDER, LeaseBatch.empty(full).needsRoomOfOthers());
  }

  @Test
  void aBatchThatNoLimitStoppedNeedsNoRoom() {
    LeaseBatch none = LeaseBatch.empty(null);
    assertTrue(none.isEmpty());
    assertFalse(none.needsRoomOfOthers());
  }

  @Test
  void aBatchKnowsItsLeases() {
    LeaseBatch two = new LeaseBatch(new LeasingScene(10).leases, 18, Full.TOPIC);
    assertFalse(two.isEmpty());
    assertEquals(2, two.size());
  }
}
