package org.svcmailbox.client.redis;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Three masters; names of mailboxes are random, so that all of them have some. */
@Tag("nightly")
class RedisClusterTest extends RedisContract {
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @Override
  List<RedisServer> servers() {
    return cluster.masters();
  }

  @Override
  RedisMailbox.Builder<String, String> at(RedisMailbox.Builder<String, String> builder) {
    return builder.cluster(cluster.some());
  }
}
