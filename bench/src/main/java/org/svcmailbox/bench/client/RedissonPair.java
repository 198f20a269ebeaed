package org.svcmailbox.bench.client;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.bench.http.LoadPayload;

/** The queue of Redisson, which hands out a message without acknowledgement. */
final class RedissonPair extends RedisPair {
  RedissonPair(RedisProcess redis) {
    super(redis);
  }

  @Override
  public String key() {
    return "redis-redisson";
  }

  @Override
  public String peer() {
    return "Redisson `RBlockingQueue`, no acknowledgement";
  }

  @Override
  public double atLeast() {
    return 0.8;
  }

  @Override
  public double theirs(Duration lasting) throws Exception {
    try (Redisson redisson = Redisson.connect(empty().address())) {
      BlockingQueue<byte[]> queue = redisson.queue("bench");
      return run(number -> new QueueRoundTrips(queue), lasting);
    }
  }

  private static final class QueueRoundTrips extends RoundTrips {
    private final BlockingQueue<byte[]> queue;
    private final byte[] body = LoadPayload.bytes();

    QueueRoundTrips(BlockingQueue<byte[]> queue) {
      this.queue = queue;
    }

    @Override
    void once() throws InterruptedException {
      queue.add(body);
      if (queue.poll(1, TimeUnit.SECONDS) == null) {
        throw new IllegalStateException("a message that was sent is missing");
      }
    }
  }
}
