package org.svcmailbox.bench;

/**
 * One load on one contestant in one round.
 *
 * @param cpuSeconds the contestant's
 * @param generatorCpuSeconds the generator's, as far as it is none of the contestant's processes
 * @param mebibytes the contestant's memory after the load
 */
record Measured(
    String contestant,
    Load load,
    int round,
    Outcome outcome,
    double cpuSeconds,
    double generatorCpuSeconds,
    long mebibytes) {
  private static final double MILLION = 1e6;

  double cpuPerMillion() {
    return cpuSeconds / outcome.messages() * MILLION;
  }

  double generatorCpuPerMillion() {
    return generatorCpuSeconds / outcome.messages() * MILLION;
  }
}
