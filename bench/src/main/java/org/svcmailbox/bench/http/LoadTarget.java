package org.svcmailbox.bench.http;

import java.net.URI;

/**
 * A server and the capability to load it with.
 *
 * @param token capability of the operator, or one narrowed to the topics of the benchmark
 */
public record LoadTarget(URI server, String token) {
  /** Prefix of all topics of the benchmark. */
  public static final String TOPICS = "bench.";
}
