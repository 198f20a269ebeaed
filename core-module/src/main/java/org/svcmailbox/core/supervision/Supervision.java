package org.svcmailbox.core.supervision;

import java.util.concurrent.ThreadFactory;
import org.svcmailbox.core.metrics.Tasks;

/** Starts threads and keeps them running. Any thread. */
public interface Supervision {
  /** Starts a thread that runs until told to end; its successors share its name. */
  SupervisedThread start(String name, Tasks tasks, ThreadFactory threads, Body body);

  interface Body {
    /** Works until {@link #end}. Called again, by another thread, when this one dies. */
    void run();

    /** Makes {@link #run} return soon. Any thread. */
    void end();
  }
}
