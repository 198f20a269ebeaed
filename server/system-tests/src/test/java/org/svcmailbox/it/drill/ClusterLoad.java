package org.svcmailbox.it.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Clients that send and receive at every node of a cluster, call by call at another one, while a
 * node dies. {@code kill.seed} repeats the clients' choices.
 */
public final class ClusterLoad {
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final DrillLoad load;

  public ClusterLoad(List<MailboxClient> nodes) {
    load = new DrillLoad(new RecordedClient(nodes, recorder), new Random(seed), this::label);
  }

  /** Makes the topics, which only a server can that is alone. */
  public static void makeTopics(MailboxClient alone) throws IOException {
    DrillLoad.makeTopics(alone);
  }

  /** Starts the clients and lets them work for so long. */
  public void start(Duration work) {
    load.start();
    load.work(work);
  }

  /** Kills a node. Its leases are over; those of the others may be. */
  public void crash(Runnable kill) {
    recorder.crash(kill);
  }

  /** Lets the clients work for so long. */
  public void work(Duration work) {
    load.work(work);
  }

  /**
   * Ends the load, and fails if a message was lost, doubled, invented or altered.
   *
   * @param survivor a node that serves all groups
   */
  public void assertNothingLostOrDoubled(MailboxClient survivor) throws Exception {
    List<TopicEnd> ends = load.drain(survivor);
    History history = recorder.history();
    HistoryChecker checker = HistoryChecker.ofCluster(LoadTopic.WINDOW, DrillLoad.MOST_REORDERED);
    load.assertNoViolation(checker, history, ends);
    AnsweredSends.of(history).assertStillTaken(survivor, label());
  }

  /** Fails unless the ledgers are intact, which only a server tells that is alone. */
  public void assertIntactLedgers(MailboxClient alone) {
    load.assertIntactLedgers(alone);
  }

  /** How many calls the clients made. */
  public int calls() {
    return recorder.history().events().size();
  }

  /** Stops the clients, whatever they are doing. */
  public void stop() throws InterruptedException {
    load.stop();
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
