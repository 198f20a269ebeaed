package org.svcmailbox.bench;

/** Repeats a part of the outbox's benchmark: whole rounds that are not counted, and the others. */
record OutboxRounds(Options options, Figures figures) {
  /** One round. */
  interface Round {
    void into(Figures figures) throws Exception;
  }

  /** Warms up by one round at least. */
  void run(String part, Round round) throws Exception {
    Bench.say(part + ": warming up");
    long end = System.nanoTime() + options.warmUp().toNanos();
    do {
      round.into(new Figures());
    } while (System.nanoTime() - end < 0);
    for (int number = 1; number <= options.rounds(); number++) {
      Bench.say(part + ": round " + number + " of " + options.rounds());
      round.into(figures);
    }
  }
}
