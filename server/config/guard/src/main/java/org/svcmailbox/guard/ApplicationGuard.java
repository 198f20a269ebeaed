package org.svcmailbox.guard;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.wildfly.extension.core.management.client.Process.RunningMode;
import org.wildfly.extension.core.management.client.ProcessStateListener;
import org.wildfly.extension.core.management.client.ProcessStateListenerInitParameters;
import org.wildfly.extension.core.management.client.RuntimeConfigurationStateChangeEvent;

/**
 * Ends a server that has been without its application for a few seconds, or that could not listen,
 * so that systemd or an orchestrator restarts it. WildFly itself would continue. It watches from
 * the end of the server's start, which it announces with {@link StartLines}, until the stop begins.
 */
public final class ApplicationGuard implements ProcessStateListener {
  private static final Logger LOG = System.getLogger(ApplicationGuard.class.getName());
  private static final Duration EVERY = Duration.ofMillis(500);

  /** An orderly stop may hang, for instance on a full disk. */
  private static final Duration TO_STOP = Duration.ofSeconds(20);

  private boolean isOff;
  private @Nullable ScheduledExecutorService watching;

  @Override
  public synchronized void init(ProcessStateListenerInitParameters server) {
    isOff = server.getRunningMode() == RunningMode.ADMIN_ONLY;
    System.setProperty(StartLines.GUARD, "on");
    LogTrouble.shorten();
  }

  @Override
  public synchronized void runtimeConfigurationStateChanged(
      RuntimeConfigurationStateChangeEvent event) {
    switch (event.getNewState()) {
      case RUNNING -> start();
      case STOPPING, STOPPED -> cleanup();
      case STARTING, RELOAD_REQUIRED, RESTART_REQUIRED -> {
        // Neither starts nor stops anything.
      }
    }
  }

  private void start() {
    if (isOff || watching != null) {
      return;
    }
    List<String> failed = FailedListeners.find();
    if (!failed.isEmpty()) {
      LOG.log(
          Level.ERROR,
          "The server cannot listen: {0}. Stop the program that uses the port, or give this server"
              + " another one with MAILBOX_PORT_OFFSET or MAILBOX_BIND",
          String.join("; ", failed));
      end(ApplicationWatch.UNAVAILABLE);
      return;
    }
    ApplicationWatch watch = new ApplicationWatch(() -> System.getProperty(ApplicationWatch.STATE));
    StartLines lines =
        new StartLines(
            ApplicationGuard::isBooting,
            System::getProperty,
            ServerAddress::find,
            line -> LOG.log(Level.INFO, line));
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "mailbox-guard"));
    var unused =
        timer.scheduleWithFixedDelay(
            () -> look(watch, lines::look, ApplicationGuard::end),
            0,
            EVERY.toMillis(),
            TimeUnit.MILLISECONDS);
    watching = timer;
  }

  /** The server is running before the thread that started it has logged its last line. */
  private static boolean isBooting() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("Controller Boot Thread"));
  }

  @Override
  public synchronized void cleanup() {
    ScheduledExecutorService timer = watching;
    if (timer != null) {
      timer.shutdownNow();
      watching = null;
    }
  }

  /** A failing check must not be the last one, because the executor drops a task that throws. */
  static void look(ApplicationWatch watch, Runnable tell, IntConsumer end) {
    try {
      watch.look(System.nanoTime()).ifPresent(end);
      tell.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "The guard could not look; it looks again", e);
    }
  }

  private static void end(int code) {
    LOG.log(
        Level.ERROR,
        code == ApplicationWatch.NO_APPLICATION
            ? "The server is without its application: the process ends with exit code {0}"
            : "The start failed: the process ends with exit code {0}",
        code);
    daemon(() -> haltLater(code), "mailbox-guard-halt").start();
    // On another thread, because the stop may wait for the calling one.
    daemon(() -> System.exit(code), "mailbox-guard-exit").start();
  }

  private static void haltLater(int code) {
    try {
      Thread.sleep(TO_STOP.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(code);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
