package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.Tally;

/** Common counts of the topics that metrics do not name. Deleting a topic does not lower them. */
public final class OtherTopics {
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final FlowCounts flow = new FlowCounts();

  DeadLetterCounts deadLetters() {
    return deadLetters;
  }

  FlowCounts flow() {
    return flow;
  }

  /** The counts as {@code topic="other"}. */
  public List<Metric> metrics() {
    return Stream.of(deadLetters.metrics(Tally.OTHER), flow.metrics(Tally.OTHER))
        .flatMap(List::stream)
        .toList();
  }
}
