package org.svcmailbox.it.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Calls that are all made at the same moment. */
public final class Together {
  private static final int PATIENCE_SECONDS = 60;

  private Together() {}

  /** Makes a call {@code times} at once, from as many threads, and returns what they returned. */
  public static <T> List<T> call(int times, Callable<T> call) throws Exception {
    CyclicBarrier start = new CyclicBarrier(times);
    ExecutorService threads = Executors.newFixedThreadPool(times);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        futures.add(threads.submit(() -> after(start, call)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T after(CyclicBarrier start, Callable<T> call) throws Exception {
    start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return call.call();
  }
}
