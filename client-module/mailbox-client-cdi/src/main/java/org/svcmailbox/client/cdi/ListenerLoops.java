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
import org.svcmailbox.client.loop.DLQConfig;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;

/** The loops of an application's listeners, which start together and stop together. */
final class ListenerLoops {
  private static final Logger LOG = System.getLogger(ListenerLoops.class.getName());

  /** Time to stop in beyond that of the handlers: to give messages back and to end threads. */
  private static final Duration STOP_EXTRA = Duration.ofSeconds(30);

  private record Running(ListenerPlan plan, MainLoop<?, ?> loop, ManagedThreads threads) {}

  private final BeanManager beans;
  private final CreationalContext<?> context;
  private final List<Running> running = new ArrayList<>();

  private ListenerLoops(BeanManager beans) {
    this.beans = beans;
    this.context = beans.createCreationalContext(null);
  }

  /** Starts a loop for each plan, or none if one of them cannot start. */
  static ListenerLoops start(List<ListenerPlan> plans, BeanManager beans) {
    ListenerLoops loops = new ListenerLoops(beans);
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
    ListenerCall call = new ListenerCall(beans, plan.listener());
    MainLoop<?, ?> loop =
        switch (plan.listener().signature().takes()) {
          case BODY ->
              configured(
                  MainLoop.handling(mailbox(plan), message -> call.with(message.body())),
                  plan,
                  threads);
          case MESSAGE -> configured(MainLoop.handling(mailbox(plan), call::with), plan, threads);
          case REQUEST -> configured(MainLoop.serving(requests(plan), call::with), plan, threads);
        };
    running.add(new Running(plan, loop, threads));
    LOG.log(Level.INFO, "mailbox {0}: {1} listens", plan.mailbox(), plan.listener());
  }

  private Mailbox<Object, Object> mailbox(ListenerPlan plan) {
    return plan.target().mailbox(beans, context);
  }

  private Mailbox<MainLoopRequest<Object>, MainLoopResult<Object>> requests(ListenerPlan plan) {
    return plan.target().mailbox(beans, context);
  }

  private <T, R> MainLoop<T, R> configured(
      MainLoop.Builder<T, R> builder, ListenerPlan plan, ManagedThreads threads) {
    ListenerSettings settings = plan.settings();
    builder
        .workers(settings.concurrency())
        .visibility(settings.visibility())
        .deadLetters(deadLetters(plan))
        .executor(threads);
    settings.maxExecution().ifPresent(builder::maxExecution);
    if (settings.ordered()) {
      builder.ordered();
    }
    return builder.start();
  }

  private DLQConfig deadLetters(ListenerPlan plan) {
    if (plan.settings().deadLetterLimit().isEmpty()) {
      return DLQConfig.backend();
    }
    int limit = plan.settings().deadLetterLimit().getAsInt();
    return plan.deadLetters()
        .map(target -> target.<byte[], Object>mailbox(beans, context))
        .map(mailbox -> DLQConfig.to(mailbox, limit))
        .orElseGet(() -> DLQConfig.logAndAcknowledge(limit));
  }

  /** Stops all loops side by side, and returns when they have ended or the time is over. */
  void stop() {
    Duration longest =
        running.stream()
            .map(each -> each.plan.settings().stopTimeout())
            .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
    CompletableFuture<?>[] stops =
        running.stream().map(ListenerLoops::stopAside).toArray(CompletableFuture[]::new);
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

  /** Stops a loop on a thread of its own, or on this one if the container has no more. */
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
