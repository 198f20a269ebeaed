package org.svcmailbox.test.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A thread for each task. In the common pool, tasks that block can wait for each other. */
public final class OwnThread {
  public static final Executor EXECUTOR = pool("test-task");

  private OwnThread() {}

  /** The same, with a name for its threads, which do not keep the JVM alive. */
  public static ExecutorService pool(String name) {
    return Executors.newCachedThreadPool(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}
