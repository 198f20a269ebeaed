package org.svcmailbox.it.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Clients that send and receive while their server is killed and started again: {@link
 * KillRoundsIT} in small, for one server that other tests use too. {@code kill.seed} repeats the
 * clients' choices.
 */
public final class KillUnderLoad {
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final MailboxServer server;
  private final MailboxClient control;
  private final DrillLoad load;

  /** For a server that is ready and serves HTTP. */
  public KillUnderLoad(MailboxServer server) {
    this.server = server;
    this.control = new MailboxClient(server.target());
    RecordedClient client = new RecordedClient(new MailboxClient(server.target()), recorder);
    this.load = new DrillLoad(client, new Random(seed), this::label);
  }

  /** Starts the clients, lets them work for so long and sends SIGKILL. */
  public void kill(Duration after) throws IOException {
    load.start(control);
    load.work(after);
    recorder.crash(server::kill9);
  }

  /** Once the server is ready again: fails if a message was lost, doubled, invented or altered. */
  public void assertNothingLostOrDoubled() throws Exception {
    List<TopicEnd> ends = load.drain(control);
    History history = recorder.history();
    load.assertNoViolation(history, ends);
    AnsweredSends.of(history).assertStillTaken(control, label());
    load.assertIntactLedgers(control);
  }

  /** Stops the clients, whatever they are doing. */
  public void stop() throws InterruptedException {
    load.stop();
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
