package org.svcmailbox.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Senders, each on a thread of its own, that start once all are connected. */
public final class SenderGroup {
  private static final long CONNECT_SECONDS = 60;

  private SenderGroup() {}

  public interface Part<S extends Sender, T> {
    T of(S sender) throws Exception;
  }

  /**
   * Runs the same task with each sender and returns the results.
   *
   * @param ready called on each thread once all are connected
   * @throws IllegalStateException if one failed
   */
  public static <S extends Sender, T> List<T> run(
      int senders, Sender.Factory<S> factory, Runnable ready, Part<S, T> part)
      throws InterruptedException {
    CountDownLatch connected = new CountDownLatch(senders);
    List<Callable<T>> parts = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      int number = i;
      parts.add(
          () -> {
            try (S sender = factory.open(number)) {
              connected.countDown();
              if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not all senders connected");
              }
              ready.run();
              return part.of(sender);
            }
          });
    }
    return Parallel.run(parts);
  }
}
