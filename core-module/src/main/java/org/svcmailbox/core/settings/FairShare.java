package org.svcmailbox.core.settings;

/**
 * The part of a shared bound that one topic or one capability may have: at most a fixed multiple of
 * the room that then remains free. Alone it gets {@code percent} of the bound. Other holders share
 * the remaining room in the same way, so a small holder always finds room. A holder of nothing may
 * always have one unit that fits. Pure.
 *
 * <p>Switches share the memory of their ports by this rule (Choudhury and Hahne, Dynamic Queue
 * Length Thresholds, 1998).
 *
 * @param percent 1 to 100; 100 is no limit
 */
public record FairShare(int percent) {
  /** Refuses a percentage out of its range. */
  public FairShare {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException(percent + " is not in 1 to 100");
    }
  }

  /**
   * Whether a holder may have more.
   *
   * @param capacity of the bound
   * @param used the amount that all hold, including the holder's request
   * @param had the amount that the holder has now
   * @param more the amount that it requests
   */
  public boolean allows(long capacity, long used, long had, long more) {
    return used <= capacity && (had == 0 || had + more <= most(capacity - used));
  }

  /** How many more units a holder may have while {@code used} of them are taken. */
  public long room(long capacity, long used, long had) {
    long free = Math.max(0, capacity - used);
    if (percent == 100) {
      return free;
    }
    // had + n <= percent / (100 - percent) * (free - n)
    long more = Math.floorDiv(percent * free - (100 - percent) * had, 100);
    return Math.max(had == 0 && free > 0 ? 1 : 0, Math.min(free, more));
  }

  private long most(long free) {
    return percent == 100 || free > Long.MAX_VALUE / 100
        ? Long.MAX_VALUE
        : percent * free / (100 - percent);
  }
}
