package org.svcmailbox.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Some senders, each on a thread of its own, that begin when all are connected. */
final class SenderGroup {
  private static final long CONNECT_SECONDS = 60;

  private SenderGroup() {}

  /** What one of them does. */
  interface Part<S extends Sender, T> {
    T of(S sender) throws Exception;
  }

  /**
   * Runs all parts to their end.
   *
   * @param ready runs on each thread once all are connected, before its part
   * @throws IllegalStateException when one of them failed
   */
  static <S extends Sender, T> List<T> run(
      int senders, Sender.Factory<S> factory, Runnable ready, Part<S, T> part)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(senders);
    CountDownLatch connected = new CountDownLatch(senders);
    try {
      List<Callable<T>> parts = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        int number = i;
        parts.add(
            () -> {
              try (S sender = factory.open(number)) {
                connected.countDown();
                if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
                  throw new IllegalStateException("not all could connect");
                }
                ready.run();
                return part.of(sender);
              }
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(parts)) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
