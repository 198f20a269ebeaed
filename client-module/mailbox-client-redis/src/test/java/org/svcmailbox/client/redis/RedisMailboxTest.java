package org.svcmailbox.client.redis;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisMailboxTest extends RedisContract {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @Override
  List<RedisServer> servers() {
    return List.of(server);
  }

  @Override
  RedisMailbox.Builder<String, String> at(RedisMailbox.Builder<String, String> builder) {
    return builder.server(server.address());
  }
}
