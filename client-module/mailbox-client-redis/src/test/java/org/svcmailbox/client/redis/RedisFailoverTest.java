package org.svcmailbox.client.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;
import org.svcmailbox.test.net.BreakingProxy;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** A primary that dies or steps down, and a replica that takes its place. */
@Timeout(180)
class RedisFailoverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration FROZEN = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final long ENOUGH = 100L * Integer.getInteger("redis.rounds", 1);

  /** One address leads to the primary, as a virtual one does. */
  @Test
  void nothingThatAReplicaHasIsLostWhenThePrimaryIsKilled() throws Exception {
    try (RedisServer primary = RedisServer.start();
        RedisServer replica = primary.startReplica();
        BreakingProxy address = new BreakingProxy(port(primary));
        RedisMailbox<byte[], byte[]> mailbox = mailbox().server(at(address)).replicas(1).build()) {
      assertNothingIsLost(
          mailbox,
          primary,
          () -> {
            primary.kill();
            replica.command(Command.REPLICAOF, "NO", "ONE");
            address.leadTo(port(replica));
          },
          replica::startReplica);
    }
  }

  /** The client knows only the other master at first. */
  @Test
  void nothingThatAReplicaHasIsLostWhenAMasterIsKilled() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(2)) {
      RedisServer master = cluster.firstOwner("orders");
      RedisServer other = cluster.otherThan(master);
      try (RedisServer replica = cluster.startReplica(master);
          RedisMailbox<byte[], byte[]> mailbox =
              mailbox().cluster(Set.of(other.address())).replicas(1).build()) {
        assertNothingIsLost(
            mailbox,
            master,
            () -> {
              master.kill();
              replica.command(Command.CLUSTER, "FAILOVER", "TAKEOVER");
            },
            () -> cluster.startReplica(replica));
      }
    }
  }

  /**
   * A lease that no replica had yet is over with the primary, so a failover ends leases as a crash
   * of the service does. The primary hangs before it dies, until that met a send.
   *
   * @param recovery starts the next replica, without which no send succeeds
   */
  private static void assertNothingIsLost(
      RedisMailbox<byte[], byte[]> mailbox,
      RedisServer primary,
      Runnable failover,
      Supplier<RedisServer> recovery)
      throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    try (MailboxDrill drill =
        new MailboxDrill("f", List.of(mailbox, mailbox), mailbox, LEASE, recorder, new Random())) {
      drill.start();
      awaitAccepted(drill, ENOUGH);
      recorder.loseLeases(
          () -> {
            freezeDuringASend(drill, primary);
            failover.run();
          });
      try (RedisServer next = recovery.get()) {
        awaitAccepted(drill, 2 * ENOUGH);
        TopicEnd end = drill.drain();

        assertEquals("0", next.command(Command.DBSIZE));
        assertEquals(List.of(), drill.findings());
        assertEquals(
            List.of(), HistoryChecker.keysEndWithAck(0).check(recorder.history(), List.of(end)));
      }
    }
  }

  /**
   * Other calls may use up the idle connections of a frozen primary. Each send is then refused, so
   * the primary proceeds and is frozen again.
   */
  private static void freezeDuringASend(MailboxDrill drill, RedisServer primary) {
    Deadline patience = Deadline.in(PATIENCE);
    primary.freeze();
    Deadline frozen = Deadline.in(FROZEN);
    while (drill.unknown() == 0) {
      assertFalse(patience.isOver(), "a send without an answer");
      LockSupport.parkNanos(POLL.toNanos());
      if (frozen.isOver()) {
        primary.proceed();
        awaitAccepted(drill, drill.accepted() + 1);
        primary.freeze();
        frozen = Deadline.in(FROZEN);
      }
    }
  }

  private static void awaitAccepted(MailboxDrill drill, long enough) {
    Deadline.in(PATIENCE)
        .await(() -> drill.accepted() >= enough, () -> "accepted: " + drill.accepted());
  }

  /** Its connections stay open, so only its answers say that it is no primary any more. */
  @Test
  void connectionsToAPrimaryThatStepsDownAreGivenUp() throws Exception {
    try (RedisServer primary = RedisServer.start();
        RedisServer replica = primary.startReplica();
        BreakingProxy address = new BreakingProxy(port(primary));
        RedisMailbox<byte[], byte[]> mailbox = mailbox().server(at(address)).build()) {
      CompletableFuture<List<Message<byte[], byte[]>>> receive =
          CompletableFuture.supplyAsync(() -> mailbox.receive(1, LONG, LONG), OwnThread.EXECUTOR);
      Deadline.in(PATIENCE)
          .await(() -> primary.blockedClients() > 0, () -> "a receive waits in Redis");

      replica.command(Command.REPLICAOF, "NO", "ONE");
      primary.command(Command.REPLICAOF, "127.0.0.1", Integer.toString(port(replica)));

      ExecutionException ended =
          assertThrows(
              ExecutionException.class, () -> receive.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      assertNotDone(assertInstanceOf(MailboxConnectionException.class, ended.getCause()));
      assertNotDone(
          assertThrows(MailboxConnectionException.class, () -> mailbox.send(new byte[] {1})));

      address.leadTo(port(replica));

      Deadline.in(PATIENCE).await(() -> isSent(mailbox), () -> "a send reaches the new primary");
      assertEquals(1, mailbox.receive(1, LONG, PATIENCE).size());
    }
  }

  private static boolean isSent(RedisMailbox<byte[], byte[]> mailbox) {
    try {
      return !mailbox.send(new byte[] {2}).isEmpty();
    } catch (MailboxConnectionException e) {
      assertNotDone(e);
      return false;
    }
  }

  private static void assertNotDone(MailboxConnectionException failure) {
    assertEquals(Outcome.NOT_DONE, failure.outcome());
  }

  private static RedisMailbox.Builder<byte[], byte[]> mailbox() {
    return RedisMailbox.builder("orders", Codecs.bytes(), Codecs.bytes())
        .client(DefaultJedisClientConfig.builder().socketTimeoutMillis(500).build());
  }

  private static HostAndPort at(BreakingProxy address) {
    return new HostAndPort("127.0.0.1", address.port());
  }

  private static int port(RedisServer server) {
    return server.address().getPort();
  }
}
