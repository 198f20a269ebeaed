package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FailStopTest {
  private static final Logger LOG = Logger.getLogger(FailStop.class.getName());

  @Test
  void theFailureIsLoggedAndHealthIsDownBeforeTheProcessEnds() {
    List<String> events = new ArrayList<>();
    Handler handler = new Recorder(events);
    LOG.addHandler(handler);
    try {
      List<FailStop> ended = new ArrayList<>();
      FailStop failStop =
          new FailStop(
              code -> {
                assertFalse(ended.get(0).vital().up());
                events.add("halt " + code);
              });
      ended.add(failStop);
      assertTrue(failStop.vital().up());
      failStop.diskFailed("journal-1.amq: No space left on device");
      assertEquals(List.of("log journal-1.amq: No space left on device", "halt 74"), events);
    } finally {
      LOG.removeHandler(handler);
    }
  }

  /** Notes what was logged. */
  private static final class Recorder extends Handler {
    private final List<String> events;

    Recorder(List<String> events) {
      this.events = events;
    }

    @Override
    public void publish(LogRecord line) {
      events.add("log " + line.getParameters()[0]);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
