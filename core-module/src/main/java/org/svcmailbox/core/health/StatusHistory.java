package org.svcmailbox.core.health;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers each part's last change between up and down. It knows only what it is told. */
public final class StatusHistory implements StatusTimes {
  private final InstantSource clock;
  private final Map<Part, Change> changes = new ConcurrentHashMap<>();

  private record Change(boolean up, Instant at) {}

  public StatusHistory(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Instant since(Vital seen) {
    Change last =
        changes.merge(
            seen.part(),
            new Change(seen.up(), clock.instant()),
            (before, now) -> before.up() == now.up() ? before : now);
    return last.at();
  }
}
