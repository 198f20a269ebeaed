package org.svcmailbox.core.sendlog;

import java.util.List;

/** Starts of a send log without a broker. */
public final class SampleStart {
  private SampleStart() {}

  /** With logs that are empty. */
  public static void begin(SendLog log) {
    begin(log, List.of());
  }

  /** Where an operator has accepted what mismatches, and nothing else. */
  static void begin(SendLog log, List<LogStanding> standings) {
    begin(log, standings, List.of());
  }

  /** With these codes as well. */
  static void begin(SendLog log, List<LogStanding> standings, List<String> codes) {
    StoreMending mending = log.mending(standings, new StoreAcceptance(codes));
    mending.mendHeads();
    mending.adopt();
    log.begin(mending);
  }
}
