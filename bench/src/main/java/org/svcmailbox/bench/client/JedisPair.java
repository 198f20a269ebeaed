package org.svcmailbox.bench.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import org.svcmailbox.bench.http.LoadPayload;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ListDirection;

/**
 * The common reliable-queue pattern: one list of waiting bodies and one of bodies in work. It has
 * no leases, so the messages of a crashed worker stay there.
 */
final class JedisPair extends RedisPair {
  private static final byte[] WAITING = "bench:waiting".getBytes(US_ASCII);
  private static final byte[] IN_WORK = "bench:in-work".getBytes(US_ASCII);
  private static final double WAIT_SECONDS = 1;

  JedisPair(RedisProcess redis) {
    super(redis);
  }

  @Override
  public String key() {
    return "redis-jedis";
  }

  @Override
  public String peer() {
    return "Jedis: `LPUSH`, `BLMOVE`, `LREM`";
  }

  @Override
  public double atLeast() {
    return 0.7;
  }

  @Override
  public double theirs(Duration lasting) throws Exception {
    RedisProcess redis = empty();
    return run(number -> new Lists(new Jedis(redis.address()), number), lasting);
  }

  private static final class Lists extends RoundTrips {
    private final Jedis jedis;
    private final int thread;
    private int number;

    Lists(Jedis jedis, int thread) {
      this.jedis = jedis;
      this.thread = thread;
    }

    /** Every body is unique, as {@code LREM} finds it by value. */
    @Override
    void once() {
      byte[] body = LoadPayload.bytes(thread, number++);
      jedis.lpush(WAITING, body);
      byte[] received =
          jedis.blmove(WAITING, IN_WORK, ListDirection.RIGHT, ListDirection.LEFT, WAIT_SECONDS);
      if (jedis.lrem(IN_WORK, 1, received) != 1) {
        throw new IllegalStateException("the message is not in work");
      }
    }

    @Override
    public void close() {
      jedis.close();
    }
  }
}
