package org.svcmailbox.bench.client;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;

/** The in-memory mailbox and a queue of the JDK, on one thread: several would measure the lock. */
final class InMemoryPair implements ClientPair {
  /** Messages between two readings of the clock, which costs as much as a message. */
  private static final int MESSAGES = 1_000;

  private static final Load LOAD = Load.closed(Work.RECV, 1, MESSAGES);

  @Override
  public String key() {
    return "memory";
  }

  @Override
  public String work() {
    return "in memory: send, receive, acknowledge; 1 thread";
  }

  @Override
  public String peer() {
    return "`ArrayBlockingQueue`";
  }

  @Override
  public double atLeast() {
    return 0.1;
  }

  @Override
  public double ours(Duration lasting) throws Exception {
    try (InMemoryMailbox<byte[], byte[]> mailbox =
        InMemoryMailbox.builder("bench", Codecs.<byte[]>reference(), Codecs.<byte[]>reference())
            .build()) {
      return ClosedLoop.run(number -> new MailboxRoundTrips(mailbox), LOAD, lasting).perSecond();
    }
  }

  @Override
  public double theirs(Duration lasting) throws Exception {
    Queue<byte[]> queue = new ArrayBlockingQueue<>(InMemoryMailbox.DEFAULT_CAPACITY);
    return ClosedLoop.run(number -> new QueueRoundTrips(queue), LOAD, lasting).perSecond();
  }

  /** A queue without acknowledgement: removal ends a message. */
  private static final class QueueRoundTrips extends RoundTrips {
    private final Queue<byte[]> queue;
    private final byte[] body = LoadPayload.bytes();

    QueueRoundTrips(Queue<byte[]> queue) {
      this.queue = queue;
    }

    @Override
    void once() {
      queue.add(body);
      if (queue.remove() != body) {
        throw new IllegalStateException("the queue returned another message");
      }
    }
  }

  @Override
  public void close() {}
}
