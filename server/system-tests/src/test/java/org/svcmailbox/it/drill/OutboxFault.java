package org.svcmailbox.it.drill;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.BreakingProxy.Fault;

/** A fault of a round. Each is over when {@link #strike} returns, but for the clock. */
enum OutboxFault {
  WORKER_IS_KILLED {
    @Override
    void strike(OutboxStage stage, Random random) {
      kill(stage, worker(stage, random));
    }
  },

  /** For longer than its leases last, while the handler works for it. */
  WORKER_FREEZES {
    @Override
    void strike(OutboxStage stage, Random random) {
      DrillWorker worker = worker(stage, random);
      stage.handler.hold(worker.name());
      worker.freeze();
      park(DrillWorker.ACK_WAIT.plusMillis(1_000));
      stage.handler.release();
      worker.thaw();
    }
  },

  SERVICE_IS_KILLED {
    @Override
    void strike(OutboxStage stage, Random random) {
      stage.service.kill9();
      maybeKillWorker(stage, random);
      stage.service.restart();
    }
  },

  DATABASE_IS_KILLED {
    @Override
    void strike(OutboxStage stage, Random random) {
      stage.database.kill();
      stage.handler.forgetAll();
      maybeKillWorker(stage, random);
      park(Duration.ofMillis(random.nextInt(1_000)));
      stage.database.resume();
    }
  },

  DATABASE_FREEZES {
    @Override
    void strike(OutboxStage stage, Random random) {
      stage.database.freeze();
      park(Duration.ofMillis(1_000 + random.nextInt(2_000)));
      stage.database.thaw();
    }
  },

  SERVICE_LINK_BREAKS {
    @Override
    void strike(OutboxStage stage, Random random) {
      breakAnswers(stage.toService, random, Fault.CUT, Fault.RESET, Fault.STALL);
    }
  },

  /** Stalls belong to {@link #DATABASE_FREEZES}: the driver waits half a minute for an answer. */
  DATABASE_LINK_BREAKS {
    @Override
    void strike(OutboxStage stage, Random random) {
      breakAnswers(stage.toDatabase, random, Fault.CUT, Fault.RESET);
      stage.handler.forgetAll();
    }
  },

  /** It goes on so until it is moved again. */
  CLOCK_MOVES {
    @Override
    void strike(OutboxStage stage, Random random) {
      Duration ahead = Duration.ofMinutes(random.nextBoolean() ? 2 : -2);
      worker(stage, random).set(ahead);
    }
  };

  private static final int BREAKS = 5;
  private static final int MOST_BYTES = 5_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Has it happen. */
  abstract void strike(OutboxStage stage, Random random);

  private static DrillWorker worker(OutboxStage stage, Random random) {
    return stage.workers.get(random.nextInt(stage.workers.size()));
  }

  private static void maybeKillWorker(OutboxStage stage, Random random) {
    if (random.nextInt(3) == 0) {
      kill(stage, worker(stage, random));
    }
  }

  private static void kill(OutboxStage stage, DrillWorker worker) {
    stage.handler.dies(worker.name());
    worker.kill();
  }

  private static void breakAnswers(BreakingProxy proxy, Random random, Fault... kinds) {
    for (int i = 0; i < BREAKS; i++) {
      proxy.breakNext(kinds[random.nextInt(kinds.length)], random.nextInt(MOST_BYTES));
      Deadline.in(PATIENCE).await(proxy::isBroken, () -> "a broken answer");
    }
  }

  private static void park(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }
}
