package org.svcmailbox.bench.client;

import java.time.Duration;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.load.Sender;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.redis.RedisMailbox;
import redis.clients.jedis.Jedis;

/** The Redis mailbox and an alternative on the same Redis. */
abstract class RedisPair implements ClientPair {
  private static final int THREADS = 8;
  private static final Load LOAD = Load.closed(Work.RECV, THREADS, 1);

  private final RedisProcess redis;

  RedisPair(RedisProcess redis) {
    this.redis = redis;
  }

  @Override
  public String work() {
    return "Redis: send, receive, acknowledge; " + THREADS + " threads";
  }

  @Override
  public final double ours(Duration lasting) throws Exception {
    empty();
    try (RedisMailbox<byte[], byte[]> mailbox =
        RedisMailbox.builder("bench", Codecs.bytes(), Codecs.bytes())
            .server(redis.address())
            .connections(THREADS)
            .build()) {
      return run(number -> new MailboxRoundTrips(mailbox), lasting);
    }
  }

  static double run(Sender.Factory<QueueClient> factory, Duration lasting) throws Exception {
    return ClosedLoop.run(factory, LOAD, lasting).perSecond();
  }

  /** Empties the server and returns it. */
  final RedisProcess empty() {
    try (Jedis jedis = new Jedis(redis.address())) {
      jedis.flushAll();
    }
    return redis;
  }

  @Override
  public void close() {}
}
