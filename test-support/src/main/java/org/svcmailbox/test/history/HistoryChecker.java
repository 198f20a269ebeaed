package org.svcmailbox.test.history;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The judge of histories. It reports only certain violations. A call took effect somewhere between
 * its invocation and its return, one with an unknown outcome perhaps not at all. The mailbox gets
 * the benefit of every doubt.
 *
 * <p>It assumes that no key is used again for another message: all SENDs of a key must be one as
 * long as the key is taken.
 *
 * <p>Leases are over when the process dies. Where they outlive it, a history records no crashes:
 * then a kill only loses answers.
 */
public final class HistoryChecker {
  private final KeyScope keys;
  private final int mostReordered;

  /**
   * @param replayWindow how long a key stays taken, at least
   * @param mostReordered how many messages of a shard may be handed out before one in front of them
   */
  public HistoryChecker(Duration replayWindow, int mostReordered) {
    this(new KeyScope(replayWindow, false, false), mostReordered);
  }

  private HistoryChecker(KeyScope keys, int mostReordered) {
    this.keys = keys;
    this.mostReordered = mostReordered;
  }

  /** For a mailbox whose keys are free again when their messages are acknowledged. */
  public static HistoryChecker keysEndWithAck(int mostReordered) {
    return new HistoryChecker(new KeyScope(Duration.ZERO, true, false), mostReordered);
  }

  /**
   * For a cluster, whose crashes are those of single nodes. A node repeats a SEND that was under
   * way to a node that dies, so the first SEND of its key can be answered as a duplicate.
   *
   * @param replayWindow how long a key stays taken, at least
   */
  public static HistoryChecker ofCluster(Duration replayWindow, int mostReordered) {
    return new HistoryChecker(new KeyScope(replayWindow, false, true), mostReordered);
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
            DuplicateCheck.violations(index, keys),
            AttemptCheck.violations(index, ends),
            LeaseCheck.violations(index),
            OrderCheck.violations(index, mostReordered))
        .flatMap(List::stream)
        .toList();
  }
}
