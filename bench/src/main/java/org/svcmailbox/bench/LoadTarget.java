package org.svcmailbox.bench;

import java.net.URI;

/**
 * A server to load, and the capability to do it with.
 *
 * @param token an operator's, or one narrowed to the benchmark's topics
 */
record LoadTarget(URI server, String token) {
  /** Where topics of the benchmark are, for a capability to be narrowed to. */
  static final String TOPICS = "bench.";
}
