package org.svcmailbox.core.supervision;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Tasks;

/** A body and the thread that currently runs it. Its monitor is held only briefly. */
public final class SupervisedThread {
  /** Consecutive deaths that mean the thread will not recover. */
  static final int TOO_MANY = 5;

  /** Running for this long resets the count of deaths. */
  static final Duration WELL = Duration.ofMinutes(1);

  static final Backoff PAUSE = new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1));

  private static final Logger LOG = System.getLogger(SupervisedThread.class.getName());

  private final String name;
  private final Tasks tasks;
  private final ThreadFactory threads;
  private final Supervision.Body body;
  private final RandomGenerator random;
  private final Runnable alarm;

  /** Running, or dead and not yet noticed; null during a pause. */
  private @Nullable Thread thread;

  private volatile boolean over;
  private volatile @Nullable Throwable cause;
  private boolean ending;
  private boolean joined;
  private int deaths;
  private long since;

  SupervisedThread(
      String name,
      Tasks tasks,
      ThreadFactory threads,
      Supervision.Body body,
      RandomGenerator random,
      Runnable alarm) {
    this.name = name;
    this.tasks = tasks;
    this.threads = threads;
    this.body = body;
    this.random = random;
    this.alarm = alarm;
  }

  /** Starts or restarts the thread if that is due; returns nanoseconds until the next check. */
  synchronized long look(long now) {
    if (ending) {
      return Long.MAX_VALUE;
    }
    if (thread != null && (over || !thread.isAlive())) {
      died(now);
    }
    if (thread == null && now - since >= 0) {
      start(now);
    }
    if (thread != null && deaths > 0 && now - since >= WELL.toNanos()) {
      deaths = 0;
    }
    return thread == null ? since - now : Long.MAX_VALUE;
  }

  /** The first start, which may throw. */
  synchronized void begin(long now) {
    since = now;
    thread = started();
  }

  private void start(long now) {
    try {
      thread = started();
      since = now;
    } catch (RuntimeException | Error e) {
      // The system may be short of threads now.
      cause = e;
      died(now);
    }
  }

  private Thread started() {
    over = false;
    Thread made = threads.newThread(this::live);
    made.setName(name);
    made.start();
    tasks.spawned();
    return made;
  }

  private void live() {
    try {
      cause = null;
      body.run();
    } catch (Throwable e) {
      // The supervisor logs it, because this thread may have died of something that logging needs.
      cause = e;
    } finally {
      over = true;
      alarm.run();
    }
  }

  private void died(long now) {
    thread = null;
    Duration pause = PAUSE.after(deaths, random);
    deaths++;
    since = now + pause.toNanos();
    tasks.aborted();
    LOG.log(
        Level.ERROR, name + " has died and is started again in " + pause.toMillis() + " ms", cause);
  }

  String name() {
    return name;
  }

  synchronized int deaths() {
    return deaths;
  }

  synchronized boolean isEnding() {
    return ending;
  }

  /** Tells the body to end; it is not restarted. */
  public void tellToEnd() {
    synchronized (this) {
      ending = true;
    }
    body.end();
  }

  /** Ends the thread, and after {@code atMost} interrupts and abandons it. Takes effect once. */
  public void end(Duration atMost) {
    tellToEnd();
    Thread last = toJoin();
    try {
      if (last != null) {
        last.join(Math.max(1, atMost.toMillis()));
        ended(last);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Thread toJoin() {
    Thread last = joined ? null : thread;
    joined = true;
    return last;
  }

  private void ended(Thread last) {
    if (last.isAlive()) {
      LOG.log(Level.WARNING, "{0} did not end in time; it is interrupted and left behind", name);
      last.interrupt();
      tasks.aborted();
    } else {
      tasks.canceled();
    }
  }
}
