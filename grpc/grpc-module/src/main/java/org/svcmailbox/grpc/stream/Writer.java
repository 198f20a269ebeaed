package org.svcmailbox.grpc.stream;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes the messages of one call, on one of the server's threads at a time. The call limits the
 * waiting tasks by how much it reads. Any thread.
 */
final class Writer<A> {
  private static final Logger LOG = System.getLogger(Writer.class.getName());

  private final ServerCallStreamObserver<A> client;
  private final Executor threads;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  /** Tasks that have not ended; the first one starts the thread. */
  private final AtomicInteger tasks = new AtomicInteger();

  private boolean isOver;

  Writer(ServerCallStreamObserver<A> client, Executor threads) {
    this.client = client;
    this.threads = threads;
  }

  /**
   * Runs a task that writes, soon and on one of the server's threads. No other thread may write.
   */
  void later(Runnable task) {
    waiting.add(task);
    if (tasks.getAndIncrement() == 0) {
      threads.execute(this::runWaiting);
    }
  }

  private void runWaiting() {
    do {
      run(waiting.remove());
    } while (tasks.decrementAndGet() > 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Writing to a stream failed", e);
      boolean unused = fail(Status.INTERNAL.asException());
    }
  }

  synchronized void now(A message) {
    if (!isOver) {
      client.onNext(message);
    }
  }

  /** Ends the call. */
  synchronized void complete() {
    if (!isOver) {
      isOver = true;
      client.onCompleted();
    }
  }

  /** Fails the call; returns false if it was over. */
  synchronized boolean fail(StatusException why) {
    if (isOver) {
      return false;
    }
    isOver = true;
    client.onError(why);
    return true;
  }

  /** Whether the call has ended or failed. */
  synchronized boolean isOver() {
    return isOver;
  }

  /** Whether the client accepts more; false once the call is over. */
  synchronized boolean isReady() {
    return !isOver && client.isReady();
  }
}
