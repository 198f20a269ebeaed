package org.svcmailbox.client.cdi;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.loop.LoopListener;
import org.svcmailbox.client.loop.MainLoop;

/** The loops of an application's listeners, which start together and stop together. */
final class CdiListenerLoops {
  private static final Logger LOG = System.getLogger(CdiListenerLoops.class.getName());

  /**
   * How long stopping may take in addition to the handlers: to return messages and to end threads.
   */
  private static final Duration STOP_EXTRA = Duration.ofSeconds(30);

  private record Running(ListenerPlan plan, MainLoop<?, ?> loop, ManagedThreads threads) {}

  private final BeanManager beans;
  private final CreationalContext<?> context;
  private final List<Running> running = new ArrayList<>();

  private CdiListenerLoops(BeanManager beans) {
    this.beans = beans;
    this.context = beans.createCreationalContext(null);
  }

  /** Starts a loop for each plan, or none if one of them cannot start. */
  static CdiListenerLoops start(List<ListenerPlan> plans, BeanManager beans) {
    CdiListenerLoops loops = new CdiListenerLoops(beans);
    try {
      ManagedThreadFactory factory = ManagedThreads.factory(beans);
      for (ListenerPlan plan : plans) {
        loops.start(plan, new ManagedThreads(factory, plan.mailbox()));
      }
      return loops;
    } catch (RuntimeException e) {
      loops.stop();
      throw e;
    }
  }

  private void start(ListenerPlan plan, ManagedThreads threads) {
    MainLoop.Builder<?, ?> builder =
        plan.listener()
            .signature()
            .loop(
                plan.target().mailbox(beans, context),
                new ListenerCall(beans, plan.listener())::with);
    plan.settings().configure(builder, name -> deadLetters(plan));
    beans.createInstance().select(LoopListener.class).forEach(builder::listener);
    running.add(new Running(plan, builder.executor(threads).start(), threads));
    LOG.log(Level.INFO, "mailbox {0}: {1} listens", plan.mailbox(), plan.listener());
  }

  private Mailbox<byte[], Object> deadLetters(ListenerPlan plan) {
    return plan.deadLetters().orElseThrow().mailbox(beans, context);
  }

  /** Stops all loops concurrently, and returns when they have ended or the time is over. */
  void stop() {
    Duration longest =
        running.stream()
            .map(each -> each.plan.settings().stopTimeout())
            .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
    CompletableFuture<?>[] stops =
        running.stream().map(CdiListenerLoops::stopAside).toArray(CompletableFuture[]::new);
    try {
      CompletableFuture.allOf(stops)
          .get(longest.plus(STOP_EXTRA).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(Level.WARNING, "listeners did not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    context.release();
  }

  /** Stops a loop on a thread of its own, or on this one if the container has no other. */
  private static CompletableFuture<?> stopAside(Running each) {
    try {
      return CompletableFuture.runAsync(() -> stop(each), each.threads);
    } catch (RejectedExecutionException e) {
      stop(each);
      return CompletableFuture.completedFuture(null);
    }
  }

  private static void stop(Running each) {
    Duration grace = each.plan.settings().stopTimeout();
    if (!each.loop.stop(grace)) {
      LOG.log(
          Level.WARNING,
          "mailbox {0}: {1} was interrupted after {2}; its messages come back",
          each.plan.mailbox(),
          each.plan.listener(),
          grace);
    }
  }
}
