package org.svcmailbox.undertow.threads;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/** The web server's own threads: those of the worker whose I/O thread brings the first request. */
final class XnioPlatform implements FewThreads.Platform {
  private volatile @Nullable XnioWorker worker;

  @Override
  public void start(Runnable runner) {
    worker().execute(runner);
  }

  @Override
  public void later(Runnable look, Duration delay) {
    worker().getIoThread().executeAfter(look, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  private XnioWorker worker() {
    XnioWorker known = worker;
    if (known == null) {
      if (!(Thread.currentThread() instanceof XnioIoThread thread)) {
        throw new RejectedExecutionException("no request has come yet");
      }
      known = thread.getWorker();
      worker = known;
    }
    return known;
  }
}
