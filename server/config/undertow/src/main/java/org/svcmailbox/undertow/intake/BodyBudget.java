package org.svcmailbox.undertow.intake;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for arriving bodies, of which each owner has a fair share: at most a fixed multiple of
 * what is free after it. The application shares its own bounds by the same rule. An owner of
 * nothing may have one buffer. Any thread.
 */
final class BodyBudget {
  /** Bodies in the name of capabilities, in all deployments together. */
  static final long OF_OWNERS = 64L << 20;

  /** Bodies that anyone sends, of one deployment. */
  static final long OF_ANYONE = 16L << 20;

  private static final int ALL = 100;

  private final long capacity;
  private final AtomicLong total;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<String, Long> parts = new ConcurrentHashMap<>();

  /**
   * Memory of which nothing is used.
   *
   * @param total counts what all budgets together give
   */
  BodyBudget(long capacity, AtomicLong total) {
    this.capacity = capacity;
    this.total = total;
  }

  /**
   * Whether an owner gets so many bytes.
   *
   * @param percent what a single owner may have; 100 is all
   */
  boolean take(String owner, int bytes, int percent) {
    if (!Counts.enter(used, bytes, capacity)) {
      return false;
    }
    total.addAndGet(bytes);
    long has = parts.merge(owner, (long) bytes, Long::sum);
    if (has == bytes || has * (ALL - percent) <= percent * (capacity - used.get())) {
      return true;
    }
    give(owner, bytes);
    return false;
  }

  /** Takes bytes back. */
  void give(String owner, int bytes) {
    parts.computeIfPresent(owner, (same, has) -> has == bytes ? null : has - bytes);
    used.addAndGet(-bytes);
    total.addAndGet(-bytes);
  }

  /** The part of a budget that one owner takes from. */
  record Share(BodyBudget budget, String owner, int percent) implements LentBuffer.Lender {
    @Override
    public boolean take(int bytes) {
      return budget.take(owner, bytes, percent);
    }

    @Override
    public void give(int bytes) {
      budget.give(owner, bytes);
    }
  }
}
