package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An outage of the database is two lines in the log, however many batches it refuses. */
class DatabaseOutageTest {
  private static final String TOPIC = "orders";
  private static final int REFUSED = 100;

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1"));
  private final Logger logger = Logger.getLogger(DatabaseOutage.class.getName());
  private final Recorder recorder = new Recorder();

  /** Lines that this thread's worker logs; other tests run beside this one. */
  private static final class Recorder extends Handler {
    private final Thread thread = Thread.currentThread();
    private final SimpleFormatter formatter = new SimpleFormatter();
    private final List<String> lines = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      if (Thread.currentThread() == thread) {
        lines.add(line.getLevel() + " " + formatter.formatMessage(line));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void record() {
    logger.addHandler(recorder);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(recorder);
  }

  private void refuse(String key) {
    rig.log.failNext(Fault.BEFORE);
    Refusal refusal = assertInstanceOf(Refusal.class, rig.send(TOPIC, key, "x"));
    assertEquals("database_away", refusal.reason());
    rig.pass(Duration.ofMillis(10));
  }

  private void serve(String key) {
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, key, "x"));
  }

  @Test
  void anOutageIsALineWhenItBeginsAndOneWhenItIsOver() {
    serve("before");
    for (int i = 0; i < REFUSED; i++) {
      refuse("k" + i);
    }
    assertEquals(
        List.of("WARNING Worker 0 refuses SENDs, the database is away: told to fail BEFORE"),
        recorder.lines);
    rig.pass(Duration.ofSeconds(5));
    serve("after");
    serve("later");
    assertEquals(
        "INFO Worker 0 takes SENDs again: the database failed for PT0.99S, 100 SENDs in 100 batches"
            + " were refused",
        recorder.lines.get(1));
    assertEquals(2, recorder.lines.size(), recorder.lines::toString);
  }

  @Test
  void aDatabaseThatFailsEveryNowAndThenIsOneOutage() {
    for (int i = 0; i < REFUSED; i++) {
      refuse("k" + i);
      serve("k" + i);
    }
    assertEquals(1, recorder.lines.size(), recorder.lines::toString);
  }
}
