package org.svcmailbox.web.event;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;

/**
 * Runs the event streams while the application is deployed. An executor starts their thread,
 * because the deploying thread would wait for beans that are still starting.
 */
@WebListener
public final class EventStreamRunner implements ServletContextListener {
  private static final Logger LOG = System.getLogger(EventStreamRunner.class.getName());
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

  @Inject private EventStreams streams;
  @Inject private Supervision supervision;
  @Inject private MetricsService metrics;
  @Resource private ManagedThreadFactory threads;
  @Resource private ManagedExecutorService starter;

  private final Tasks tasks = new Tasks("events");
  private volatile @Nullable SupervisedThread thread;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    starter.execute(this::start);
  }

  private void start() {
    metrics.add(tasks);
    thread = supervision.start("mailbox-events", tasks, threads, new Turns(this::step));
  }

  private long step() {
    try {
      streams.step();
    } catch (RuntimeException e) {
      tasks.aborted();
      LOG.log(Level.ERROR, "Serving the event streams failed", e);
    }
    return EventStreams.STEP_INTERVAL.toNanos();
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    SupervisedThread last = thread;
    if (last != null) {
      last.end(STOP_TIMEOUT);
    }
    streams.close();
  }
}
