package org.svcmailbox.bench.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.http.HttpMailbox;

/** Batches of a hundred; both sides send the same bodies except for the keys. */
final class BatchPair extends ServicePair {
  private static final Load LOAD = Load.closed(Work.SEND, 8, 100);

  BatchPair(MailboxContestant service) {
    super(service);
  }

  @Override
  public String key() {
    return "http-batch";
  }

  @Override
  public String work() {
    return "HTTP: `sendAll` of 100; 8 threads";
  }

  @Override
  public String peer() {
    return "`wrk`, 8 connections, same bodies";
  }

  @Override
  double ours(String topic, Duration lasting) throws Exception {
    try (HttpMailbox<byte[], byte[]> mailbox = open(topic)) {
      return ClosedLoop.run(number -> new Batches(mailbox, number), LOAD, lasting).perSecond();
    }
  }

  @Override
  double theirs(MailboxContestant raw, String topic, Duration lasting) throws Exception {
    return raw.run(LOAD, topic, lasting).perSecond();
  }

  private static final class Batches implements QueueClient {
    private final Mailbox<byte[], byte[]> mailbox;
    private final int thread;
    private final byte[] body = LoadPayload.bytes();
    private int number;

    Batches(Mailbox<byte[], byte[]> mailbox, int thread) {
      this.mailbox = mailbox;
      this.thread = thread;
    }

    @Override
    public void send(int messages) {
      List<Outgoing<byte[], Object>> batch = new ArrayList<>(messages);
      for (int i = 0; i < messages; i++) {
        batch.add(Outgoing.builder(body).key("%04d%08d".formatted(thread, number++)).build());
      }
      for (SendResult result : mailbox.sendAll(batch)) {
        Sent sent = result.orThrow();
        if (sent.duplicate()) {
          throw new IllegalStateException(sent.id() + " was sent before");
        }
      }
    }

    @Override
    public int receive(int most) {
      throw new UnsupportedOperationException("this client only sends");
    }

    @Override
    public void close() {}
  }
}
