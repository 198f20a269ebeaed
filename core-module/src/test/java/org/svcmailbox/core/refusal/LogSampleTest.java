package org.svcmailbox.core.refusal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogSampleTest {
  private final AtomicLong nanos = new AtomicLong();
  private final LogSample sample = new LogSample(nanos::get);

  private int logged(String address, int lines) {
    int logged = 0;
    for (int i = 0; i < lines; i++) {
      logged += sample.take(address).isPresent() ? 1 : 0;
    }
    return logged;
  }

  @Test
  void addressHasAFewLinesAndOthersHaveTheirs() {
    assertEquals(LogSample.OF_ADDRESS, logged("192.0.2.1", 1_000));
    assertEquals(Optional.of(990L), sample.take("192.0.2.2"));
    assertEquals(Optional.of(0L), sample.take("192.0.2.2"));
    nanos.addAndGet(LogSample.PERIOD.toNanos());
    assertEquals(LogSample.OF_ADDRESS, logged("192.0.2.1", 1_000));
  }

  @Test
  void manyAddressesHaveABound() {
    int logged = 0;
    for (int i = 0; i < 5_000; i++) {
      logged += logged("192.0.2." + i, 2);
    }
    assertEquals(LogSample.OF_ALL, logged);
  }
}
