package org.svcmailbox.core.rendezvous.mailbox;

/** Tells whether a limit is nearly reached: from 95 % until usage falls below 90 %. Any thread. */
public final class Watermark {
  private static final int HIGH = 95;
  private static final int LOW = 90;
  private static final int PERCENT = 100;

  private volatile boolean isOver;

  public boolean update(long used, long capacity) {
    if (used * PERCENT > capacity * HIGH) {
      isOver = true;
    } else if (used * PERCENT < capacity * LOW) {
      isOver = false;
    }
    return isOver;
  }
}
