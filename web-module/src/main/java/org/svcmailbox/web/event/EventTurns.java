package org.svcmailbox.web.event;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves those who look on, from the deployment's first moment to its last. */
@WebListener
public final class EventTurns implements ServletContextListener {
  private static final Logger LOG = System.getLogger(EventTurns.class.getName());

  @Inject private EventStreams streams;

  @Resource(name = "concurrent/events")
  private ManagedScheduledExecutorService scheduler;

  private @Nullable ScheduledFuture<?> turns;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    long every = EventStreams.TURN.toMillis();
    turns = scheduler.scheduleWithFixedDelay(this::turn, every, every, TimeUnit.MILLISECONDS);
  }

  private void turn() {
    try {
      streams.turn();
    } catch (RuntimeException e) {
      // One that fails must not be the last.
      LOG.log(Level.ERROR, "Those who look on were not served", e);
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    ScheduledFuture<?> running = turns;
    if (running != null) {
      running.cancel(false);
    }
    streams.close();
  }
}
