package org.svcmailbox.client.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import redis.clients.jedis.Protocol.Command;

/** Three masters; names of mailboxes are random, so that all of them have some. */
class RedisClusterTest extends RedisContract {
  private static final List<String[]> SLOTS =
      List.of(
          new String[] {"ADDSLOTSRANGE", "0", "5460"},
          new String[] {"ADDSLOTSRANGE", "5461", "10922"},
          new String[] {"ADDSLOTSRANGE", "10923", "16383"});

  private static List<RedisServer> servers = List.of();

  @BeforeAll
  static void start() {
    List<String> ports =
        Stream.generate(() -> Integer.toString(PortOffset.freePort())).limit(3).toList();
    servers =
        ports.stream()
            .map(port -> RedisServer.start("--cluster-enabled", "yes", "--cluster-port", port))
            .toList();
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).command(Command.CLUSTER, SLOTS.get(i));
      String port = Integer.toString(servers.get(i).address().getPort());
      servers.get(0).command(Command.CLUSTER, "MEET", "127.0.0.1", port, ports.get(i));
    }
    Deadline.in(Duration.ofSeconds(20))
        .await(
            () ->
                servers.stream()
                    .map(server -> server.command(Command.CLUSTER, "INFO"))
                    .allMatch(
                        answer ->
                            answer.contains("cluster_state:ok")
                                && answer.contains("cluster_size:3")),
            () -> "three masters share the slots");
  }

  @AfterAll
  static void end() {
    servers.forEach(RedisServer::close);
  }

  @Override
  List<RedisServer> servers() {
    return servers;
  }

  @Override
  RedisMailbox.Builder<String, String> at(RedisMailbox.Builder<String, String> builder) {
    return builder.cluster(Set.of(servers.get(0).address()));
  }
}
