package org.svcmailbox.core.supervision;

import java.util.Random;

/** Supervision for tests of other classes. */
public final class SampleSupervision {
  private SampleSupervision() {}

  /** Starts threads without watching them. */
  public static Supervision ofNobody() {
    return new Supervisor(Thread::new, System::nanoTime, new Random(1));
  }
}
