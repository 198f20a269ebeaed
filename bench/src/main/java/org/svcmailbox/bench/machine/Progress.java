package org.svcmailbox.bench.machine;

/** Progress of the run, on standard error: standard output has the tables only. */
public final class Progress {
  private Progress() {}

  public static void say(String text) {
    System.err.println(text);
  }

  public static void round(int round, int rounds) {
    say("round " + round + " of " + rounds);
  }
}
