package org.svcmailbox.core.supervision;

import org.svcmailbox.core.health.Vital;

/** The supervision of the service's threads, and what it has to tell. */
public interface Threads extends Supervision {
  /**
   * Whether every thread is there. One that is about to be started again does not count as missing;
   * one that dies again and again does.
   */
  Vital vital();
}
