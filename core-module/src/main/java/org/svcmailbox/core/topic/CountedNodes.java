package org.svcmailbox.core.topic;

import java.util.List;

/**
 * The nodes of a cluster whose counts are in an answer.
 *
 * @param nodes how many, with the one that answers
 * @param silent nodes that live and have not told their counts for some seconds, which are left out
 * @param missingGroups groups that none of the counted nodes serves
 * @param ageMs milliseconds since the oldest of these counts were told
 */
public record CountedNodes(int nodes, List<String> silent, int missingGroups, long ageMs) {
  /** Copies the list. */
  public CountedNodes {
    silent = List.copyOf(silent);
  }
}
