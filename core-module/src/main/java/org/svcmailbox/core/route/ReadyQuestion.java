package org.svcmailbox.core.route;

import java.util.List;

/**
 * The question of a node which topics have messages. It replaces the node's earlier ones.
 *
 * @param asker names a process; random
 * @param number ascends
 * @param keys at most {@link ReadyWatch#MOST_NAMED}
 */
public record ReadyQuestion(long asker, long number, List<ReadyKey> keys) {
  /** Copies the list. */
  public ReadyQuestion {
    keys = List.copyOf(keys);
  }
}
