package org.svcmailbox.bench.client;

import java.time.Duration;
import org.svcmailbox.bench.report.PairFigures;

/** The same work by the client library and by an alternative. */
interface ClientPair extends AutoCloseable {
  /** Its name on the command line and prefix of its figures. */
  String key();

  String work();

  String peer();

  default PairFigures names() {
    return new PairFigures(key());
  }

  /** The ratio to reach. */
  double atLeast();

  /** Loads the client library for about this time and returns messages a second. */
  double ours(Duration lasting) throws Exception;

  /** Loads the peer for about this time and returns messages a second. */
  double theirs(Duration lasting) throws Exception;

  @Override
  void close();
}
