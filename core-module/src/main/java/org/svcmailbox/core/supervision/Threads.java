package org.svcmailbox.core.supervision;

import org.svcmailbox.core.health.Vital;

/** Supervision with health and metrics. */
public interface Threads extends Supervision {
  /**
   * Down when a thread dies again and again. A thread that is about to be restarted counts as up.
   */
  Vital vital();
}
