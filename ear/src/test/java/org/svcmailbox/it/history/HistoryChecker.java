package org.svcmailbox.it.history;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The judge of histories. It reports only what is certain: a call took effect somewhere between its
 * invocation and its return, one whose outcome is unknown may have taken effect or not, and every
 * doubt is decided for the mailbox.
 *
 * <p>It assumes that no key is used again for another message: all SENDs of a key that lie within
 * the replay window must be one.
 */
public final class HistoryChecker {
  private final Duration replayWindow;
  private final int mostReordered;

  /**
   * @param replayWindow how long a key stays taken, at least
   * @param mostReordered how many messages of a shard may be handed out before one in front of them
   */
  public HistoryChecker(Duration replayWindow, int mostReordered) {
    this.replayWindow = replayWindow;
    this.mostReordered = mostReordered;
  }

  /**
   * Everything in {@code history} that no honest mailbox can have answered.
   *
   * @param ends what was found in every topic the history names, after everything was over
   */
  public List<Violation> check(History history, List<TopicEnd> ends) {
    HistoryIndex index = new HistoryIndex(history);
    return Stream.of(
            LossCheck.violations(index, ends),
            OriginCheck.violations(index),
            FinalityCheck.violations(index, ends),
            DuplicateCheck.violations(index, replayWindow),
            AttemptCheck.violations(index, ends),
            LeaseCheck.violations(index),
            OrderCheck.violations(index, mostReordered))
        .flatMap(List::stream)
        .toList();
  }
}
