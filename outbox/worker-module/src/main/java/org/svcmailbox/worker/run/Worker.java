package org.svcmailbox.worker.run;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.jdbc.JdbcBacklogs;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.jdbc.JdbcPurge;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.probe.ProbeServer;
import org.svcmailbox.worker.probe.Readiness;
import org.svcmailbox.worker.probe.WorkerMetrics;

/**
 * A worker. It starts its probes first and then its loops, and stops in the opposite order.
 * Consumers complete their handlers, the publisher completes its round, and then their resources
 * are closed.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Worker.class.getName());

  private static final Duration SAMPLE = Duration.ofSeconds(15);
  private static final Duration PURGE = Duration.ofMinutes(5);

  private final WorkerSettings settings;
  private final HikariDataSource source;
  private final HttpService service;
  private final TopicPublishers publishers;
  private final JdbcOutboxStore outbox;
  private final Guards guards;
  private final WorkerMetrics metrics;
  private final ProbeServer probes;
  private final ScheduledExecutorService leases = scheduler("leases");
  private final ScheduledExecutorService maintenance = scheduler("maintenance");
  private final ThreadPoolExecutor handlers;
  private final List<Loop> loops = new ArrayList<>();
  private final Map<String, RunningConsumer> consumers = new ConcurrentHashMap<>();

  /** A loop on its own thread. Closing it ends it. */
  private record Loop(Thread thread, AutoCloseable closing) {}

  /**
   * Starts only the probes.
   *
   * @throws IOException if the address of the probes is taken
   */
  public Worker(WorkerSettings settings) throws IOException {
    this.settings = settings;
    source = Connections.pool(settings.database());
    service = Connections.service(settings.service());
    publishers = new TopicPublishers(settings.service(), HttpConnections.builder().build());
    outbox = new JdbcOutboxStore(source);
    guards = Guards.of(settings.database(), source);
    metrics = new WorkerMetrics(new JdbcBacklogs(source));
    probes =
        ProbeServer.start(
            settings.listen(),
            this::isAlive,
            new Readiness(settings, source, this::isPaused)::parts,
            metrics::scrape);
    handlers =
        new ThreadPoolExecutor(
            0,
            settings.inbox().threads(),
            1,
            TimeUnit.MINUTES,
            new SynchronousQueue<>(),
            threads("handler"));
  }

  private static ScheduledExecutorService scheduler(String name) {
    return Executors.newSingleThreadScheduledExecutor(threads(name));
  }

  private static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, name + "-" + number.incrementAndGet());
  }

  /** The port of health and metrics. */
  public int port() {
    return probes.port();
  }

  /** Starts all loops. Call it once. */
  public void start() {
    every(SAMPLE, metrics::sample);
    every(PURGE, new Maintenance(new JdbcPurge(source), settings.retention()));
    RunningConsumer.Shared shared =
        new RunningConsumer.Shared(source, service, guards.guard(), leases, handlers);
    for (ConsumerSettings consumer : settings.inbox().consumers()) {
      RunningConsumer running =
          new RunningConsumer(
              consumer,
              settings.inboxSettings(consumer),
              metrics.inbox(consumer.durable()),
              shared);
      consumers.put(consumer.durable(), running);
      metrics.watch(consumer.durable(), running::isPaused);
      start("consumer-" + consumer.durable(), running, running);
    }
    if (settings.publisher() != null) {
      OutboxPublisher publisher = publisher(settings.publisher());
      start("publisher", publisher, publisher);
    }
  }

  private void every(Duration period, Runnable work) {
    ScheduledFuture<?> unused =
        maintenance.scheduleWithFixedDelay(work, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private OutboxPublisher publisher(PublisherSettings publishing) {
    return OutboxPublisher.builder(outbox, publishing, settings.streams(), publishers::of)
        .listener(metrics.outbox(settings.streams()))
        .build();
  }

  private void start(String name, Runnable work, AutoCloseable closing) {
    Thread thread = new Thread(work, name);
    thread.setUncaughtExceptionHandler(
        (dead, failure) -> LOG.log(Level.ERROR, "Thread " + name + " ended", failure));
    loops.add(new Loop(thread, closing));
    thread.start();
  }

  private boolean isPaused(String durable) {
    RunningConsumer consumer = consumers.get(durable);
    return consumer != null && consumer.isPaused();
  }

  private boolean isAlive() {
    return loops.stream().allMatch(loop -> loop.thread().isAlive());
  }

  /**
   * Stops. Waits for handlers and the publisher's round for as long as the settings say; the next
   * worker repeats what is not done by then.
   */
  @Override
  public void close() {
    maintenance.shutdownNow();
    boolean isClean = closeLoops();
    leases.shutdownNow();
    handlers.shutdownNow();
    guards.close();
    publishers.close();
    service.close();
    outbox.close();
    source.close();
    probes.close();
    LOG.log(Level.INFO, isClean ? "Stopped" : "Stopped before all handlers had ended");
  }

  private boolean closeLoops() {
    List<Thread> closing =
        loops.stream().map(loop -> new Thread(() -> close(loop), "stop")).toList();
    closing.forEach(Thread::start);
    long end = System.nanoTime() + settings.stopTimeout().toNanos();
    boolean isClean = true;
    for (Thread thread : closing) {
      isClean &= joins(thread, end);
    }
    return isClean;
  }

  private static void close(Loop loop) {
    try {
      loop.closing().close();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "Thread " + loop.thread().getName() + " does not stop", e);
    }
  }

  private static boolean joins(Thread thread, long end) {
    try {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      if (thread.isAlive()) {
        thread.interrupt();
        return false;
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
