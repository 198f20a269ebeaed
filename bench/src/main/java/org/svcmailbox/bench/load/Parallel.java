package org.svcmailbox.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tasks of a load, each on a thread of its own. */
final class Parallel {
  private Parallel() {}

  /**
   * Runs tasks and returns their results in order once all have ended.
   *
   * @throws IllegalStateException if a task failed
   */
  static <T> List<T> run(List<Callable<T>> tasks) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> result : threads.invokeAll(tasks)) {
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
