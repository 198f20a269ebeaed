package org.svcmailbox.bench.report;

import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;

/**
 * One load on one contestant in one round.
 *
 * @param cpuSeconds CPU time of the contestant
 * @param generatorCpuSeconds CPU time of the generator outside the processes of the contestant
 * @param mebibytes memory of the contestant after the load
 */
public record Measurement(
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
