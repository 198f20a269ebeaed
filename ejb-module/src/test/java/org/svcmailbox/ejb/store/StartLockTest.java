package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.test.concurrent.Together;

class StartLockTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void oneStartAtATime() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Boolean> done =
        Together.run(
            4,
            () -> {
              StartLock.<SQLException>hold(
                  DATABASE.source(),
                  LONG,
                  () -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    // Long enough for another one to come in.
                    DATABASE.source().getConnection().close();
                    inside.decrementAndGet();
                  });
              return true;
            });
    assertEquals(List.of(true, true, true, true), done);
    assertEquals(1, most.get());
  }

  @Test
  void aStartThatDoesNotEndIsNotAwaitedForEver() throws SQLException {
    try (PooledSource pool = new PooledSource(DATABASE.source())) {
      StartLock.<RuntimeException>hold(
          pool, LONG, () -> assertThrows(UnavailableException.class, this::holdAtOnce));
      holdAtOnce();
    }
  }

  @Test
  void aStartThatFailsLetsTheNextOneBegin() throws SQLException {
    try (PooledSource pool = new PooledSource(DATABASE.source())) {
      assertThrows(
          IOException.class,
          () ->
              StartLock.<IOException>hold(
                  pool,
                  LONG,
                  () -> {
                    throw new IOException("the start failed");
                  }));
      holdAtOnce();
    }
  }

  private void holdAtOnce() {
    StartLock.<RuntimeException>hold(DATABASE.source(), Duration.ZERO, () -> {});
  }
}
