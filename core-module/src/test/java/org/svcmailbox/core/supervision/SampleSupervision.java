package org.svcmailbox.core.supervision;

import java.util.Random;

/** Supervision for tests of something else. */
public final class SampleSupervision {
  private SampleSupervision() {}

  /** Starts threads, and nobody looks after them. */
  public static Supervision ofNobody() {
    return new Supervisor(Thread::new, System::nanoTime, new Random(1));
  }
}
