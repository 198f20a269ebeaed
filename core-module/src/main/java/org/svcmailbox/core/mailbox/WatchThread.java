package org.svcmailbox.core.mailbox;

import org.svcmailbox.core.worker.WorkerPool;

/** The thread that refuses callers on behalf of workers that wait for the broker. */
final class WatchThread {
  private final WorkerPool workers;
  private final RecvIntake recvs;
  private final RegularThread thread =
      new RegularThread("mailbox-watch", "watch", WorkerPool.WATCH_EVERY, this::look);

  WatchThread(WorkerPool workers, RecvIntake recvs) {
    this.workers = workers;
    this.recvs = recvs;
  }

  RegularThread thread() {
    return thread;
  }

  /** One check. Tests, which start no threads, call it themselves. */
  void look() {
    if (workers.look()) {
      recvs.endDue();
    }
  }
}
