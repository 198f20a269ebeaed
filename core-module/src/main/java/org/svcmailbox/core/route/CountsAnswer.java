package org.svcmailbox.core.route;

import java.util.List;
import java.util.Set;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicFigures;

/**
 * The figures of a node that changed since a version. Topics that were never told have none.
 *
 * @param life of the node's counts; versions of another life mean nothing
 * @param version up to which these are all changes
 * @param isLast whether there are no later changes yet
 * @param groups the groups that the node serves
 */
public record CountsAnswer(
    long life, long version, boolean isLast, Set<Integer> groups, List<Told> changed) {
  /** One topic. */
  public record Told(TopicName topic, TopicFigures figures) {}

  /** The most topics of an answer. */
  public static final int MOST = 2_000;

  /** Copies the collections. */
  public CountsAnswer {
    groups = Set.copyOf(groups);
    changed = List.copyOf(changed);
  }
}
