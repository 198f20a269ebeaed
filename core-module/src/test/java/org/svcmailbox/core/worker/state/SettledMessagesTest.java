package org.svcmailbox.core.worker.state;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.SettledMessages.Settled;

class SettledMessagesTest {
  private final LeasingScene scene = new LeasingScene(10);
  private final Lease first = scene.leases.get(0);
  private final Lease second = scene.leases.get(1);
  private final SettledMessages settled = new SettledMessages(1);

  private @Nullable Fate fate(Lease lease) {
    Settled found = settled.find(lease.msgId());
    return found == null ? null : found.fate();
  }

  @ParameterizedTest
  @EnumSource
  void aCommitKeepsHowALeaseEnded(Fate fate) {
    settled.remember(first, fate);
    settled.onCommit();
    settled.onSessionLost();
    Settled found = requireNonNull(settled.find(first.msgId()));
    assertEquals(new Settled(fate, first.receipt(), first.shard(), first.holder().id()), found);
  }

  @ParameterizedTest
  @EnumSource
  void allThatALostTransactionLeavesIsThatTheLeaseEnded(Fate fate) {
    settled.remember(first, fate);
    settled.onSessionLost();
    assertEquals(
        new Settled(Fate.EXPIRED, first.receipt(), first.shard(), first.holder().id()),
        settled.find(first.msgId()));
  }

  @Test
  void theOldestIsForgotten() {
    settled.remember(first, Fate.ACKED);
    settled.remember(second, Fate.NACKED);
    assertNull(settled.find(first.msgId()));
    assertEquals(Fate.NACKED, fate(second));
  }

  @Test
  void oneThatEndsAgainIsTheYoungest() {
    SettledMessages two = new SettledMessages(2);
    two.remember(first, Fate.NACKED);
    two.remember(second, Fate.NACKED);
    two.remember(first, Fate.ACKED);
    two.acknowledged(new Ack(MsgId.create(9, Instant.EPOCH), null), first.shard());
    assertNotNull(two.find(first.msgId()));
    assertNull(two.find(second.msgId()));
  }

  @Test
  void aLateAckKeepsTheLastHolder() {
    settled.remember(first, Fate.EXPIRED);
    settled.acknowledged(new Ack(first.msgId(), null), first.shard());
    assertEquals(
        new Settled(Fate.ACKED, first.receipt(), first.shard(), first.holder().id()),
        settled.find(first.msgId()));
  }

  @Test
  void aLateAckOfAnEarlierLifeHasItsOwnReceiptAndNoHolder() {
    Receipt receipt = new Receipt("before");
    settled.acknowledged(new Ack(first.msgId(), receipt), first.shard());
    assertEquals(
        new Settled(Fate.ACKED, receipt, first.shard(), null), settled.find(first.msgId()));
    settled.onSessionLost();
    assertEquals(Fate.EXPIRED, fate(first));
  }
}
