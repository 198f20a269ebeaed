package org.svcmailbox.bench;

import java.time.Duration;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.redis.RedisMailbox;
import redis.clients.jedis.Jedis;

/** A mailbox on Redis beside what else one would write on the same Redis. */
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

  static double run(Sender.Factory<Client> factory, Duration lasting) throws Exception {
    return ClosedLoop.run(factory, LOAD, lasting).perSecond();
  }

  /** The server, empty. */
  final RedisProcess empty() {
    try (Jedis jedis = new Jedis(redis.address())) {
      jedis.flushAll();
    }
    return redis;
  }

  @Override
  public void close() {}
}
