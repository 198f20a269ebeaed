package org.svcmailbox.core.supervision;

import java.util.concurrent.ThreadFactory;
import org.svcmailbox.core.metrics.Tasks;

/** Starts threads and keeps them running. Any thread. */
public interface Supervision {
  /**
   * Starts a thread that is to run until it is told to end.
   *
   * @param name of the thread, and of each that takes its place
   * @param tasks where its lives are counted
   * @param threads where it comes from
   */
  SupervisedThread start(String name, Tasks tasks, ThreadFactory threads, Body body);

  /** The work of a thread. */
  interface Body {
    /** Works until {@link #end}. Another thread calls it again when this one dies. */
    void run();

    /** Lets {@link #run} return soon. Any thread. */
    void end();
  }
}
