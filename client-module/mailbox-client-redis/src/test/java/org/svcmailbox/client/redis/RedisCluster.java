package org.svcmailbox.client.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Some masters that share the slots evenly. */
final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<RedisServer> masters;

  private RedisCluster(List<RedisServer> masters) {
    this.masters = masters;
  }

  /** Starts empty masters, and returns when each serves its slots. */
  static RedisCluster start(int masters, String... options) {
    List<String> buses =
        Stream.generate(() -> Integer.toString(PortOffset.freePort())).limit(masters).toList();
    List<RedisServer> servers = buses.stream().map(bus -> member(bus, options)).toList();
    for (int i = 0; i < masters; i++) {
      RedisServer server = servers.get(i);
      String first = Integer.toString(SLOTS * i / masters);
      String last = Integer.toString(SLOTS * (i + 1) / masters - 1);
      server.command(Command.CLUSTER, "ADDSLOTSRANGE", first, last);
      // Two of one epoch would not agree on whose a moved slot is.
      server.command(Command.CLUSTER, "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (int i = 1; i < masters; i++) {
      meet(servers.get(0), servers.get(i), buses.get(i));
    }
    RedisCluster cluster = new RedisCluster(servers);
    cluster.await("cluster_state:ok", "cluster_size:" + masters);
    return cluster;
  }

  private static RedisServer member(String bus, String... options) {
    return RedisServer.start(
        Stream.concat(
                Stream.of("--cluster-enabled", "yes", "--cluster-port", bus), Stream.of(options))
            .toArray(String[]::new));
  }

  private static void meet(RedisServer one, RedisServer other, String bus) {
    String port = Integer.toString(other.address().getPort());
    one.command(Command.CLUSTER, "MEET", "127.0.0.1", port, bus);
  }

  /** Starts a replica of a master, which has all of its data when this returns. */
  RedisServer startReplica(RedisServer master, String... options) {
    String bus = Integer.toString(PortOffset.freePort());
    RedisServer replica = member(bus, options);
    living(master).forEach(one -> meet(one, replica, bus));
    String id = id(master);
    Deadline.in(PATIENCE)
        .await(
            () -> replica.command(Command.CLUSTER, "NODES").contains(id),
            () -> "the replica knows its master");
    master.command(Command.CONFIG, "SET", "repl-diskless-sync-delay", "0");
    replica.command(Command.CLUSTER, "REPLICATE", id);
    master.awaitReplica(replica);
    awaitKnown(replica, master);
    return replica;
  }

  /** Returns when each member that lives knows whose replica it is, and it knows them. */
  private void awaitKnown(RedisServer replica, RedisServer master) {
    String entry = "slave " + id(master);
    Deadline.in(PATIENCE)
        .await(
            () ->
                living(master).stream()
                    .allMatch(
                        one ->
                            one.command(Command.CLUSTER, "NODES").contains(entry)
                                && replica.command(Command.CLUSTER, "NODES").contains(id(one))),
            () -> "all know the replica");
  }

  /** The masters that were not killed. */
  private List<RedisServer> living(RedisServer promoted) {
    return Stream.concat(masters.stream(), Stream.of(promoted))
        .filter(RedisServer::isAlive)
        .distinct()
        .toList();
  }

  private void await(String... facts) {
    Deadline.in(PATIENCE)
        .await(
            () ->
                masters.stream()
                    .map(server -> server.command(Command.CLUSTER, "INFO"))
                    .allMatch(info -> Stream.of(facts).allMatch(info::contains)),
            () -> List.of(facts) + " at each master");
  }

  List<RedisServer> masters() {
    return masters;
  }

  /** Where a client begins to look. */
  Set<HostAndPort> some() {
    return Set.of(masters.get(0).address());
  }

  /** The slot of a mailbox. */
  static String slot(String mailbox) {
    return Integer.toString(JedisClusterCRC16.getSlot("{queue:" + mailbox + "}"));
  }

  /** The master that has a mailbox, as the masters were started. */
  RedisServer firstOwner(String mailbox) {
    return masters.get(Integer.parseInt(slot(mailbox)) * masters.size() / SLOTS);
  }

  /** One of the other masters. */
  RedisServer otherThan(RedisServer master) {
    return masters.stream().filter(one -> one != master).findFirst().orElseThrow();
  }

  static String id(RedisServer server) {
    return server.command(Command.CLUSTER, "MYID");
  }

  /** How often the masters gave an answer that begins so. */
  long errors(String code) {
    return masters.stream().mapToLong(server -> server.errors(code)).sum();
  }

  @Override
  public void close() {
    masters.forEach(RedisServer::close);
  }
}
