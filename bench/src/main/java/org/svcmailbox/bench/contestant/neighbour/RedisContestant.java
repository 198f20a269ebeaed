package org.svcmailbox.bench.contestant.neighbour;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.svcmailbox.bench.load.QueueClient;
import redis.clients.jedis.Jedis;

/** A stream of Redis with one consumer group. */
public final class RedisContestant extends NeighbourContestant {
  public RedisContestant() {
    super("redis-server", "redis-server");
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String title() {
    return "Redis Streams";
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  ProcessBuilder process(Path directory, int port) {
    return new ProcessBuilder(
        program(),
        "--bind",
        HOST,
        "--port",
        Integer.toString(port),
        "--dir",
        directory.toString(),
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--save",
        "");
  }

  @Override
  public void create(String queue) {
    try (Jedis jedis = connect()) {
      jedis.xgroupCreate(key(queue), RedisClient.GROUP, key("0"), true);
    }
  }

  @Override
  public void delete(String queue) {
    try (Jedis jedis = connect()) {
      jedis.del(key(queue));
    }
  }

  @Override
  QueueClient client(String queue) {
    return new RedisClient(connect(), key(queue));
  }

  private Jedis connect() {
    return new Jedis(HOST, port());
  }

  private static byte[] key(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
