package org.svcmailbox.undertow.intake;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for arriving bodies, of which each owner has a fair share: at most a fixed multiple of
 * what then remains free. The application shares its own limits by the same rule. An owner of
 * nothing may have one buffer. Any thread.
 */
final class BodyBudget {
  /** For bodies of capabilities' owners, in all deployments together. */
  static final long OF_OWNERS = 64L << 20;

  /** For bodies of anyone, in one deployment. */
  static final long OF_ANYONE = 16L << 20;

  private static final int ALL = 100;

  private final long capacity;
  private final AtomicLong total;
  private final AtomicLong used = new AtomicLong();
  private final ConcurrentHashMap<String, Long> parts = new ConcurrentHashMap<>();

  /**
   * An unused budget.
   *
   * @param total counts what all budgets together have given
   */
  BodyBudget(long capacity, AtomicLong total) {
    this.capacity = capacity;
    this.total = total;
  }

  /**
   * Whether an owner gets this many bytes.
   *
   * @param percent the share of a single owner; 100 is everything
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

  /** Takes bytes back into the budget. */
  void give(String owner, int bytes) {
    parts.computeIfPresent(owner, (same, has) -> has == bytes ? null : has - bytes);
    used.addAndGet(-bytes);
    total.addAndGet(-bytes);
  }

  /** One owner's part of a budget. */
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
