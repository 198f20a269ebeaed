package org.svcmailbox.client.spi;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that a mailbox makes requests on. */
public final class MailboxThreads {
  private static final long IDLE_SECONDS = 10;

  private MailboxThreads() {}

  /** As many daemons as there are requests out; they end when idle. */
  public static ExecutorService of(String mailbox) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "mailbox-" + mailbox);
          thread.setDaemon(true);
          return thread;
        });
  }
}
