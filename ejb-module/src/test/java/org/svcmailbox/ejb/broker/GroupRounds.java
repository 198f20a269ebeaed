package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.util.Random;

/** How long drills of owners are, and how one is repeated. */
final class GroupRounds {
  private static final int ROUNDS = Integer.getInteger("group.rounds", 15);
  private static final long SEED = Long.getLong("group.seed", System.nanoTime());

  /** How long nothing more may come after a takeover. */
  static final Duration AFTERWARDS = Duration.ofMillis(20);

  private GroupRounds() {}

  static Random random() {
    return new Random(SEED);
  }

  static String seed() {
    return "-Dgroup.seed=" + SEED;
  }

  static void run(GroupDrill drill) {
    for (int round = 0; round < ROUNDS && drill.violations().isEmpty(); round++) {
      drill.round();
    }
  }
}
