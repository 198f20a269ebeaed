package org.svcmailbox.test.concurrent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A race: tasks that start at the same moment, each on its own thread. */
public final class Together {
  private static final int PATIENCE_SECONDS = 60;

  private Together() {}

  /** Runs one task {@code times} at once and returns what each run returned. */
  public static <T> List<T> run(int times, Callable<T> task)
      throws InterruptedException, ExecutionException, TimeoutException {
    return run(Collections.nCopies(times, task));
  }

  /** Runs all tasks and returns what each returned, in order. */
  public static <T> List<T> run(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException, TimeoutException {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(threads.submit(after(start, task)));
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

  private static <T> Callable<T> after(CyclicBarrier start, Callable<T> task) {
    return () -> {
      start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return task.call();
    };
  }
}
