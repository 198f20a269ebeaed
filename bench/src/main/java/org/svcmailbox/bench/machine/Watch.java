package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An observation on a thread of its own that runs while a load lasts. */
public abstract class Watch {
  private final Thread thread;
  private final List<Span> seen = new ArrayList<>();
  private volatile boolean over;
  private volatile @Nullable IOException failure;

  Watch(String name) {
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Starts the thread and returns this. */
  public final Watch begin() {
    thread.start();
    return this;
  }

  /**
   * Stops the observation and returns what it recorded.
   *
   * @throws IOException if it failed
   */
  public final List<Span> end() throws InterruptedException, IOException {
    over = true;
    thread.join();
    IOException why = failure;
    if (why != null) {
      throw new IOException(thread.getName() + " failed", why);
    }
    return seen;
  }

  private void run() {
    try {
      watch();
    } catch (IOException e) {
      failure = e;
    }
  }

  /** Observes until {@link #isOver}. */
  abstract void watch() throws IOException;

  final boolean isOver() {
    return over;
  }

  /** The spans recorded so far; only for the thread of the watch. */
  final List<Span> seen() {
    return seen;
  }
}
