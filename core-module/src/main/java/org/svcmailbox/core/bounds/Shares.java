package org.svcmailbox.core.bounds;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.svcmailbox.core.settings.FairShare;

/**
 * The parts of one limit that holders have, by the rule of {@link FairShare}. Holders of nothing
 * are not kept. Any thread.
 *
 * @param <H> the holder: a topic, a capability
 */
public final class Shares<H> {
  /** A holder and its amount. */
  public record Part<H>(H holder, long amount) {}

  private final FairShare rule;
  private final CapacityLimit bound;
  private final ConcurrentHashMap<H, Long> parts = new ConcurrentHashMap<>();

  Shares(FairShare rule, CapacityLimit bound) {
    this.rule = rule;
    this.bound = bound;
  }

  /** Gives a holder an amount that the limit already counts, unless that exceeds its share. */
  boolean tryAdd(H holder, long amount) {
    long has = parts.merge(holder, amount, Long::sum);
    if (rule.allows(bound.capacity(), bound.count(), has - amount, amount)) {
      return true;
    }
    remove(holder, amount);
    return false;
  }

  /** Gives a holder an amount that it already has, even beyond its share. */
  void add(H holder, long amount) {
    parts.merge(holder, amount, Long::sum);
  }

  void remove(H holder, long amount) {
    parts.computeIfPresent(holder, (same, has) -> has == amount ? null : has - amount);
  }

  /** How many more units a holder may have; others may take them first. */
  long room(H holder) {
    return rule.room(bound.capacity(), bound.count(), of(holder));
  }

  public long of(H holder) {
    return parts.getOrDefault(holder, 0L);
  }

  /** Returns the largest parts, greatest first. */
  public List<Part<H>> largest(int limit) {
    return greatest(
        parts.entrySet().stream().map(entry -> new Part<>(entry.getKey(), entry.getValue())),
        limit);
  }

  /** The largest of some parts, greatest first. */
  public static <H> List<Part<H>> greatest(Stream<Part<H>> parts, int limit) {
    return parts
        .sorted(Comparator.<Part<H>>comparingLong(Part::amount).reversed())
        .limit(limit)
        .toList();
  }

  static <H> long sum(List<Part<H>> parts) {
    return parts.stream().mapToLong(Part::amount).sum();
  }
}
