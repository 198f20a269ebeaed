package org.svcmailbox.test.concurrent;

import java.util.concurrent.Executor;

/** A new thread for each task. In the common pool, tasks that block can wait for each other. */
public final class OwnThread implements Executor {
  public static final Executor EXECUTOR = new OwnThread();

  private OwnThread() {}

  @Override
  public void execute(Runnable task) {
    Thread thread = new Thread(task, "test-task");
    thread.setDaemon(true);
    thread.start();
  }
}
