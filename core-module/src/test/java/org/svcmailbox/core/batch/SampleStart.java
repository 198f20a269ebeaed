package org.svcmailbox.core.batch;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Starts of a registry without a broker. */
public final class SampleStart {
  private SampleStart() {}

  /** With logs that are empty; keys of the database count. */
  public static void begin(SendRegistry registry) {
    begin(registry, List.of());
  }

  /** Where an operator has accepted what mismatches, and nothing else. */
  static void begin(SendRegistry registry, List<StoreStanding> standings) {
    begin(registry, standings, List.of());
  }

  /** With these codes as well. */
  static void begin(SendRegistry registry, List<StoreStanding> standings, List<String> codes) {
    StoreMending mending = new StoreMending(registry, new StoreAcceptance(codes), standings);
    mending.mendHeads();
    mending.adopt();
    registry.begin(mending);
    Set<WorkerId> others = new TreeSet<>(registry.workers());
    standings.forEach(standing -> others.remove(standing.worker()));
    registry.load(others);
  }
}
