package org.svcmailbox.bench.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.loop.MainLoop;

/** A worker loop with an empty handler, until a topic is empty. */
final class WorkerPair extends ServicePair {
  private static final int WORKERS = 8;
  private static final Load RAW = Load.closed(Work.RECV, WORKERS, 1);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final int backlog;

  /**
   * @param backlog messages in each turn
   */
  WorkerPair(MailboxContestant service, int backlog) {
    super(service);
    this.backlog = backlog;
  }

  @Override
  public String key() {
    return "http-worker";
  }

  @Override
  public String work() {
    return "HTTP: `MainLoop`, " + WORKERS + " workers, empty handler";
  }

  @Override
  public String peer() {
    return "`wrk`, " + WORKERS + " connections, RECV of 1 and ACK";
  }

  /** Lasts until all messages are handled. */
  @Override
  double ours(String topic, Duration lasting) throws Exception {
    service().fill(topic, backlog);
    CountDownLatch left = new CountDownLatch(backlog);
    try (HttpMailbox<byte[], byte[]> mailbox = open(topic)) {
      long before = System.nanoTime();
      MainLoop<byte[], byte[]> loop =
          MainLoop.handling(
                  mailbox,
                  message -> {
                    left.countDown();
                    return null;
                  })
              .workers(WORKERS)
              .start();
      boolean isEmpty = left.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      // Stopping waits for the last acknowledgements.
      boolean isWhole = loop.stop(PATIENCE);
      double seconds = (System.nanoTime() - before) / 1e9;
      if (!isEmpty || !isWhole) {
        throw new IllegalStateException(left.getCount() + " messages are left");
      }
      return backlog / seconds;
    }
  }

  @Override
  double theirs(MailboxContestant raw, String topic, Duration lasting) throws Exception {
    raw.fill(topic, backlog);
    Outcome outcome = raw.run(RAW, topic, PATIENCE);
    if (outcome.messages() != backlog) {
      throw new IllegalStateException(outcome.messages() + " messages of " + backlog);
    }
    return outcome.perSecond();
  }
}
