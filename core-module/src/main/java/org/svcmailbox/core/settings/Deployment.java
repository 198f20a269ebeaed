package org.svcmailbox.core.settings;

/**
 * Facts that defaults depend on.
 *
 * @param cores processors of the machine
 * @param heap of the service in bytes; {@code Long.MAX_VALUE} if unknown
 * @param amnesia whether everything is in memory only
 */
record Deployment(int cores, long heap, boolean amnesia) {
  /** One part of the service may take a quarter of the heap. */
  private static final int HEAP_SHARES = 4;

  /** One part's share of the heap, but never less than {@code least}. */
  long shareOfHeap(long least) {
    return Math.max(heap / HEAP_SHARES, least);
  }
}
