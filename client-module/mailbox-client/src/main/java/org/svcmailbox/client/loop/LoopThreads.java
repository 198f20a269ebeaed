package org.svcmailbox.client.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A thread for each task. The first keeps the process alive; a stuck handler does not. */
final class LoopThreads implements Executor {
  private final String mailbox;
  private final AtomicInteger started = new AtomicInteger();

  LoopThreads(String mailbox) {
    this.mailbox = mailbox;
  }

  @Override
  public void execute(Runnable task) {
    int number = started.getAndIncrement();
    Thread thread = new Thread(task, "mailbox-" + mailbox + "-" + number);
    thread.setDaemon(number > 0);
    thread.start();
  }
}
