package org.svcmailbox.bench.report;

import org.svcmailbox.bench.figure.Figures;

/**
 * The figures of ours and a peer that take turns.
 *
 * @param key prefix of their names
 */
public record PairFigures(String key) {
  /** Messages a second of ours. */
  public String ours() {
    return key + ".ours.per_second";
  }

  /** Messages a second of the peer. */
  public String theirs() {
    return key + ".theirs.per_second";
  }

  /** The ratio of a round, in which the machine is the same for both. */
  public String ratio() {
    return key + ".ratio";
  }

  public void add(Figures figures, double ours, double theirs) {
    figures.add(ours(), ours);
    figures.add(theirs(), theirs);
    figures.add(ratio(), ours / theirs);
  }
}
