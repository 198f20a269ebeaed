package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.time.Ticker;

/**
 * Keeps part of the data disk free. Below the reserve SENDs are refused, so that accepted messages
 * can still be delivered and settled. Any thread.
 */
public final class DiskReserve {
  private static final long SMALLEST = 32L << 20;
  private static final long LARGEST = 256L << 20;

  /** The default reserve as a fraction of the file system. */
  private static final int SHARE = 20;

  private static final long FRESH = Duration.ofMillis(100).toNanos();
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private static final String SHARE_REASON = "disk_share";

  private final DiskSpace disk;
  private final OptionalInt configured;
  private final Ticker ticker;
  private final AtomicLong staleAt;
  private volatile Reading last = new Reading(Long.MAX_VALUE, 0, null);

  /**
   * One reading of the disk.
   *
   * @param fault why the disk cannot be written; null if it can
   */
  private record Reading(long free, long reserve, @Nullable String fault) {}

  /**
   * @param configured bytes; empty for a fraction of the file system
   */
  DiskReserve(DiskSpace disk, OptionalInt configured, Ticker ticker) {
    this.disk = disk;
    this.configured = configured;
    this.ticker = ticker;
    this.staleAt = new AtomicLong(ticker.nanos());
  }

  /** Reads the disk at most ten times a second. */
  void refresh() {
    long now = ticker.nanos();
    long due = staleAt.get();
    if (now - due >= 0 && staleAt.compareAndSet(due, now + FRESH)) {
      last = read();
    }
  }

  private Reading read() {
    try {
      DiskSpace.Room room = disk.room();
      return new Reading(room.free(), reserve(room.total()), null);
    } catch (UnavailableException e) {
      return new Reading(0, last.reserve(), String.valueOf(e.getMessage()));
    }
  }

  private long reserve(long total) {
    return configured.isPresent()
        ? configured.getAsInt()
        : Math.max(SMALLEST, Math.min(LARGEST, total / SHARE));
  }

  /** Why a SEND is refused; null if it is accepted. {@code pending} bytes are not yet written. */
  @Nullable Refusal refusal(long pending) {
    Reading now = last;
    if (now.fault() != null) {
      return Refusal.unavailable("disk_failed", "the data disk cannot be written", RETRY_AFTER);
    }
    return now.free() - pending < now.reserve()
        ? Refusal.unavailable("disk_reserve", "the data disk is nearly full", RETRY_AFTER)
        : null;
  }

  /**
   * Why a topic may not have more on the disk; null if it may. It has a share of the free space
   * beyond the reserve and of what it has itself.
   *
   * @param had bytes that the topic has
   * @param more bytes that it requests
   */
  @Nullable Refusal shareRefusal(FairShare share, long had, long more) {
    Reading now = last;
    long room = Math.max(0, now.free() - now.reserve());
    boolean isAllowed =
        room > Long.MAX_VALUE / 2 || share.allows(had + more + room, had + more, had, more);
    return isAllowed ? null : Refusal.saturated(SHARE_REASON, SharedLimit.TOPIC_SHARE, RETRY_AFTER);
  }

  public long free() {
    return last.free();
  }

  public long reserve() {
    return last.reserve();
  }

  /** For operators; empty when SENDs are accepted. */
  public String shortage() {
    Reading now = last;
    if (now.fault() != null) {
      return now.fault();
    }
    return now.free() >= now.reserve()
        ? ""
        : now.free() + " bytes are free, fewer than the reserve of " + now.reserve() + " bytes";
  }

  List<Metric> metrics() {
    return List.of(
        Family.DISK_FREE_BYTES.of(this::free), Family.DISK_RESERVE_BYTES.of(this::reserve));
  }
}
