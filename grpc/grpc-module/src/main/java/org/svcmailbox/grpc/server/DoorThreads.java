package org.svcmailbox.grpc.server;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.core.metrics.Tasks;

/** The gRPC server's threads: an event loop for each core, and the threads that serve calls. */
final class DoorThreads {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final EventLoopGroup loops;
  private final ThreadPoolExecutor calls;
  private final Tasks tasks = new Tasks("grpc");

  /**
   * @param most the most threads that serve calls
   * @param queued the most waiting tasks; each call has at most one
   */
  DoorThreads(ThreadFactory factory, int most, int queued) {
    ThreadFactory io = named(factory, "mailbox-grpc-io-");
    this.loops = new NioEventLoopGroup(Runtime.getRuntime().availableProcessors(), io);
    this.calls =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(queued),
            named(factory, "mailbox-grpc-"),
            // Used at shutdown, and if a call should ever have more than its one task.
            (task, pool) -> task.run());
    calls.allowCoreThreadTimeOut(true);
  }

  private ThreadFactory named(ThreadFactory factory, String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = factory.newThread(task);
      if (thread == null) {
        throw new IllegalStateException("the server has no thread for the gRPC door");
      }
      thread.setName(prefix + number.incrementAndGet());
      tasks.spawned();
      return thread;
    };
  }

  EventLoopGroup loops() {
    return loops;
  }

  ThreadPoolExecutor calls() {
    return calls;
  }

  Tasks tasks() {
    return tasks;
  }

  /** Ends all threads; whatever does not end in time is abandoned. */
  void end() throws InterruptedException {
    calls.shutdown();
    Future<?> unused = loops.shutdownGracefully(0, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    boolean ended = calls.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (!loops.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS) || !ended) {
      tasks.aborted();
    }
  }
}
