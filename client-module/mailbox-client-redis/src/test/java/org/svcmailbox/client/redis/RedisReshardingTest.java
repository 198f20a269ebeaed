package org.svcmailbox.client.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;

/** A mailbox whose slot moves from one master to the other, key by key, as an operator does it. */
@Timeout(180)
class RedisReshardingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final int MOVES = 3 * Integer.getInteger("redis.rounds", 1);
  private static final List<String> KEYS = List.of("data", "pending", "meta", "invisible");

  /** Waits for replicas for half of it. */
  private static final JedisClientConfig IMPATIENT =
      DefaultJedisClientConfig.builder().socketTimeoutMillis(1_000).build();

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(2);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  /** The way of one slot. Its keys move one by one. */
  private record Move(String mailbox, RedisServer from, RedisServer to) {
    static Move away(String mailbox) {
      RedisServer from = cluster.firstOwner(mailbox);
      return new Move(mailbox, from, cluster.otherThan(from));
    }

    Move back() {
      return new Move(mailbox, to, from);
    }

    void begin() {
      String slot = RedisCluster.slot(mailbox);
      to.command(Command.CLUSTER, "SETSLOT", slot, "IMPORTING", RedisCluster.id(from));
      from.command(Command.CLUSTER, "SETSLOT", slot, "MIGRATING", RedisCluster.id(to));
    }

    void move(String key) {
      String port = Integer.toString(to.address().getPort());
      from.command(
          Command.MIGRATE, "127.0.0.1", port, "{queue:" + mailbox + "}:" + key, "0", "5000");
    }

    void end() {
      String slot = RedisCluster.slot(mailbox);
      for (RedisServer server : List.of(to, from)) {
        server.command(Command.CLUSTER, "SETSLOT", slot, "NODE", RedisCluster.id(to));
      }
    }
  }

  private static <T> RedisMailbox.Builder<T, T> open(String name, Codec<T> codec) {
    return RedisMailbox.builder(name, codec, codec).cluster(cluster.some());
  }

  @Test
  void nothingIsLostOrRepeatedWhileTheMailboxMoves() throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    try (RedisMailbox<byte[], byte[]> mailbox = open("moving", Codecs.bytes()).build();
        MailboxDrill drill =
            new MailboxDrill(
                "m", List.of(mailbox, mailbox), mailbox, LEASE, recorder, new Random())) {
      drill.start();
      Move move = Move.away("moving");
      for (int i = 1; i <= MOVES; i++) {
        awaitAccepted(drill, 50 * i);
        move.begin();
        for (String key : KEYS) {
          awaitRefusals(2);
          move.move(key);
        }
        move.end();
        move = move.back();
      }
      awaitAccepted(drill, 50 * (MOVES + 1));
      TopicEnd end = drill.drain();

      assertEquals(List.of(), drill.findings());
      assertEquals(
          List.of(), HistoryChecker.keysEndWithAck(0).check(recorder.history(), List.of(end)));
      assertTrue(cluster.errors("MOVED") > 0, "no call met the wrong master");
    }
  }

  private static void awaitAccepted(MailboxDrill drill, int enough) {
    Deadline.in(PATIENCE)
        .await(() -> drill.accepted() >= enough, () -> "accepted: " + drill.accepted());
  }

  private static void awaitRefusals(int more) {
    long before = cluster.errors("TRYAGAIN") + cluster.errors("ASK");
    Deadline.in(PATIENCE)
        .await(
            () -> cluster.errors("TRYAGAIN") + cluster.errors("ASK") >= before + more,
            () -> "calls meet the move");
  }

  @Test
  void sendsWaitForTheEndOfAMoveAndKeepTheirOrder() throws Exception {
    try (RedisMailbox<String, String> mailbox = open("waiting", Codecs.utf8()).build()) {
      mailbox.send("apple 0");
      Move move = Move.away("waiting");
      long before = cluster.errors("TRYAGAIN");
      move.begin();
      move.move("data");
      List<CompletableFuture<Sent>> stages =
          IntStream.range(1, 20)
              .mapToObj(i -> mailbox.sendAsync(Outgoing.of("apple " + i)).toCompletableFuture())
              .toList();
      Deadline.in(PATIENCE)
          .await(() -> cluster.errors("TRYAGAIN") > before, () -> "a send meets the move");

      move.move("pending");
      move.end();

      for (CompletableFuture<Sent> stage : stages) {
        assertFalse(stage.get(20, TimeUnit.SECONDS).duplicate());
      }
      assertEquals(
          IntStream.range(0, 20).mapToObj(i -> "apple " + i).toList(),
          mailbox.receive(100, LONG, Duration.ZERO).stream().map(Message::body).toList());
    }
  }

  /** The old master sends the client to the new one, which has all four keys and not the slot. */
  @Test
  void aMovedMailboxIsServedBeforeItsSlotIsHandedOver() {
    try (RedisMailbox<String, String> mailbox = open("asking", Codecs.utf8()).build();
        RedisMailbox<String, String> lonely =
            open("asking", Codecs.utf8()).replicas(1).client(IMPATIENT).build()) {
      mailbox.send("apple");
      mailbox.send("pear");
      Message<String, String> held = mailbox.receive(1, LONG, Duration.ZERO).get(0);
      Move move = Move.away("asking");
      move.begin();
      KEYS.forEach(move::move);
      long before = cluster.errors("ASK");

      assertFalse(mailbox.send(Outgoing.builder("plum").key("plum").build()).duplicate());
      held.extendVisibility(LONG);
      assertEquals(3, mailbox.approximateCount());
      assertUnknown(() -> lonely.send("cherry"));

      assertEquals(4, cluster.errors("ASK") - before);
      move.end();
      held.acknowledge();
      assertTrue(mailbox.send(Outgoing.builder("plum").key("plum").build()).duplicate());
    }
  }

  @Test
  void aMoveThatDoesNotEndFailsCallsThatDidNothing() {
    try (RedisMailbox<String, String> mailbox = open("stuck", Codecs.utf8()).build()) {
      mailbox.send("apple");
      Move move = Move.away("stuck");
      move.begin();
      move.move("data");
      long before = cluster.errors("TRYAGAIN");
      long begun = System.nanoTime();

      MailboxConnectionException failure =
          assertThrows(MailboxConnectionException.class, () -> mailbox.send("pear"));

      assertEquals(Outcome.NOT_DONE, failure.outcome());
      assertEquals(10, cluster.errors("TRYAGAIN") - before);
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(waited > 500, waited + " ms");

      move.move("pending");
      move.end();
      assertEquals(1, mailbox.approximateCount());
    }
  }

  private static void assertUnknown(Runnable call) {
    MailboxConnectionException failure = assertThrows(MailboxConnectionException.class, call::run);
    assertEquals(Outcome.UNKNOWN, failure.outcome());
  }
}
