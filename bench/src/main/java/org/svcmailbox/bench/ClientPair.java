package org.svcmailbox.bench;

import java.time.Duration;

/** The same work by the client library and by what one would use in its place. */
interface ClientPair extends AutoCloseable {
  /** Its name among options and figures. */
  String key();

  /** The work, as tables name it. */
  String work();

  /** The peer, as tables name it. */
  String peer();

  /** The ratio to the peer that is to be reached. */
  double atLeast();

  /** Loads the client library for about so long, and returns messages a second. */
  double ours(Duration lasting) throws Exception;

  /** The same with the peer. */
  double theirs(Duration lasting) throws Exception;

  @Override
  void close();
}
