package org.svcmailbox.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that is looked at, on a thread of its own, while a load lasts. */
abstract class Watch {
  private final Thread thread;
  private final List<Span> seen = new ArrayList<>();
  private volatile boolean over;
  private volatile @Nullable IOException failure;

  Watch(String name) {
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Begins, and answers itself. */
  final Watch begin() {
    thread.start();
    return this;
  }

  /**
   * Ends it, and tells what was seen.
   *
   * @throws IOException when it could not look
   */
  final List<Span> end() throws InterruptedException, IOException {
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

  /** Looks until it {@link #isOver}. */
  abstract void watch() throws IOException;

  final boolean isOver() {
    return over;
  }

  /** What was seen until now, to be added to; on the watch's own thread. */
  final List<Span> seen() {
    return seen;
  }
}
