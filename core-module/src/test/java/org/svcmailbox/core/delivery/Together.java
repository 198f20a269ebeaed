package org.svcmailbox.core.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A race: tasks that start at the same moment, each on a thread of its own. */
public final class Together {
  private static final int START_SECONDS = 10;
  private static final int END_SECONDS = 60;

  private Together() {}

  /** Runs all tasks and returns what each returned, in order. */
  public static <T> List<T> run(List<Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Callable<T>> aligned = tasks.stream().map(task -> after(start, task)).toList();
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(aligned, END_SECONDS, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> Callable<T> after(CyclicBarrier start, Callable<T> task) {
    return () -> {
      start.await(START_SECONDS, TimeUnit.SECONDS);
      return task.call();
    };
  }
}
