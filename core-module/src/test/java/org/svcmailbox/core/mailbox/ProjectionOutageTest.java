package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.test.log.OwnLog;

/** A full log is two lines for operators, however many batches it refuses. */
class ProjectionOutageTest {
  private static final String TOPIC = "orders";
  private static final int REFUSED = 100;

  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.workers", "1",
              "mailbox.ready_shards", "1",
              "mailbox.projection.entries", "128"));
  private final OwnLog log = new OwnLog(BatchLogPorts.class.getPackageName() + ".ProjectionOutage");
  private int filled;

  @AfterEach
  void stop() {
    log.close();
  }

  /** SENDs go on while the log has room, and are refused at its end. */
  private void fill() {
    rig.log.away(true);
    for (int i = 0; i < 10_000; i++) {
      if (rig.send(TOPIC, "fill" + filled++, "x") instanceof Refusal refusal) {
        assertEquals("log_full", refusal.reason());
        rig.pass(Duration.ofMillis(10));
        return;
      }
    }
    throw new AssertionError("the log is never full");
  }

  private void refuse(String key) {
    assertEquals("log_full", assertInstanceOf(Refusal.class, rig.send(TOPIC, key, "x")).reason());
    rig.pass(Duration.ofMillis(10));
  }

  private void serve(String key) {
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, key, "x"));
  }

  @Test
  void anOutageIsALineWhenItBeginsAndOneWhenItIsOver() {
    serve("before");
    fill();
    for (int i = 1; i < REFUSED; i++) {
      refuse("k" + i);
    }
    assertEquals(
        List.of("WARNING Group 0 refuses SENDs: the database does not follow"), log.lines());
    rig.log.away(false);
    rig.pass(Duration.ofSeconds(5));
    serve("after");
    serve("later");
    assertEquals(
        "INFO Group 0 takes SENDs again: its log was full for PT0.99S, 100 SENDs in 100 batches"
            + " were refused",
        log.lines().get(1));
    assertEquals(2, log.lines().size(), () -> log.lines().toString());
  }

  @Test
  void aLogThatIsFullEveryNowAndThenIsOneOutage() {
    for (int i = 0; i < 3; i++) {
      fill();
      rig.log.away(false);
      rig.project();
      serve("k" + i);
    }
    assertEquals(1, log.lines().size(), () -> log.lines().toString());
  }

  @Test
  void receiversGoOnWhileTheLogIsFull() {
    serve("before");
    fill();
    RecvOutcome.Delivered delivered =
        assertInstanceOf(RecvOutcome.Delivered.class, rig.recvNow(TOPIC, 1));
    RecvOutcome.LeasedMessage leased = delivered.messages().get(0);
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(leased.message().envelope().msgId(), leased.receipt()));
  }
}
