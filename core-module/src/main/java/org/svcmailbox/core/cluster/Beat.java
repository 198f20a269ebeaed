package org.svcmailbox.core.cluster;

import java.net.URI;
import java.util.Objects;
import org.svcmailbox.core.metrics.Build;

/**
 * A node's report of itself, twice a second.
 *
 * @param url how the other nodes reach it, {@code http} or {@code https}
 * @param release of the program that it runs
 * @param life tells this process from earlier ones of the same name
 * @param number rises with each beat of a life
 * @param lives how many processes of this name followed each other within ten minutes, with this
 *     one
 */
public record Beat(
    NodeId node,
    URI url,
    String release,
    long life,
    long number,
    int lives,
    NodeStanding standing) {
  /** Checks that this life is one of those it counts. */
  public Beat {
    if (lives < 1) {
      throw new IllegalArgumentException(node + " has had no life");
    }
    Objects.requireNonNull(url);
  }

  /** The first beat of a process that follows no other one. */
  public static Beat first(NodeId node, URI url, long life) {
    return new Beat(node, url, Build.VERSION, life, 1, 1, NodeStanding.NEW);
  }

  /** The same beat of a process that follows others. */
  public Beat withLives(int counted) {
    return new Beat(node, url, release, life, number, counted, standing);
  }

  /** The next beat of the process. */
  Beat next(int counted, NodeStanding now) {
    return new Beat(node, url, release, life, number + 1, counted, now);
  }

  /** Whether the node gives its groups away. */
  public boolean isLeaving() {
    return standing.isLeaving();
  }

  /** Whether it could serve groups. */
  public boolean isFit() {
    return standing.isFit();
  }
}
