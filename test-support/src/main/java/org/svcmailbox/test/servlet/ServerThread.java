package org.svcmailbox.test.servlet;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.svcmailbox.test.concurrent.Deadline;

/** The one thread on which a stream's listener is called. */
final class ServerThread implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final AtomicInteger pending = new AtomicInteger();
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "strict-stream");
            thread.setDaemon(true);
            return thread;
          });

  /** A call of a listener. */
  interface Call {
    void run() throws Exception;
  }

  /** Makes a call later; its exception goes to the listener, as servers do it. */
  void call(Call call, Consumer<Throwable> onError) {
    pending.incrementAndGet();
    executor.execute(
        () -> {
          try {
            call.run();
          } catch (Exception e) {
            onError.accept(e);
          } finally {
            pending.decrementAndGet();
          }
        });
  }

  void settle() {
    Deadline.in(SOON).await(() -> pending.get() == 0, () -> "a listener that returns");
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
