package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Settings with which no loop starts, and where its threads come from. */
class LoopStartTest extends LoopFixture {
  @Test
  void anExecutorWithTooFewThreadsStartsNothing() throws Exception {
    ExecutorService two =
        new ThreadPoolExecutor(0, 2, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
    MainLoop.Builder<String, String> builder =
        MainLoop.handling(orders, message -> (String) null)
            .deadLetters(NEVER)
            .clock(clock)
            .executor(two);

    assertThrows(RejectedExecutionException.class, builder::start);

    two.shutdown();
    assertTrue(two.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  @Test
  void aFactoryMakesAllThreads() throws Exception {
    List<Thread> made = Collections.synchronizedList(new ArrayList<>());
    MainLoop<String, String> loop =
        start(
            message -> null,
            builder ->
                builder
                    .workers(3)
                    .threads(
                        task -> {
                          Thread thread = new Thread(task);
                          made.add(thread);
                          return thread;
                        }));
    assertEquals(5, made.size());

    loop.close();

    for (Thread thread : made) {
      thread.join(PATIENCE.toMillis());
      assertFalse(thread.isAlive());
    }
  }

  @Test
  void aFactoryThatFailsLeavesNoThreadBehind() throws Exception {
    List<Thread> made = Collections.synchronizedList(new ArrayList<>());
    MainLoop.Builder<String, String> builder =
        MainLoop.handling(orders, message -> (String) null)
            .deadLetters(NEVER)
            .clock(clock)
            .threads(
                task -> {
                  if (made.size() == 2) {
                    throw new IllegalStateException("the component is gone");
                  }
                  made.add(new Thread(task));
                  return made.get(made.size() - 1);
                });

    assertThrows(IllegalStateException.class, builder::start);

    for (Thread thread : made) {
      thread.join(PATIENCE.toMillis());
      assertFalse(thread.isAlive());
    }
  }

  @Test
  void aLoopWithoutDeadLettersStartsOnlyWhereTheyAreNative() {
    MainLoop.Builder<String, String> builder = MainLoop.handling(orders, message -> null);
    assertThrows(IllegalStateException.class, builder::start);
    builder.deadLetters(DLQConfig.backend());
    assertThrows(IllegalStateException.class, builder::start);
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    MainLoop.Builder<String, String> builder =
        MainLoop.handling(orders, message -> (String) null).deadLetters(NEVER);
    assertThrows(IllegalArgumentException.class, () -> builder.workers(0));
    assertThrows(IllegalArgumentException.class, () -> builder.maxExecution(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.visibility(Duration.ZERO).start());
    builder.visibility(VISIBILITY);
    assertThrows(
        IllegalArgumentException.class, () -> builder.receiveWait(Duration.ofSeconds(-1)).start());
    builder.receiveWait(Duration.ZERO);
    assertThrows(UnsupportedOperationException.class, () -> builder.ordered().workers(2).start());
    assertThrows(IllegalArgumentException.class, () -> DLQConfig.to(dead, 0));
    assertThrows(IllegalArgumentException.class, () -> DLQConfig.logAndAcknowledge(0));
  }
}
