package org.svcmailbox.client.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.drill.MailboxDrill;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;
import org.svcmailbox.test.net.HoldingProxy;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;

/** Redis that dies, is full, evicts, or keeps clients out. */
class RedisFaultsTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration LEASE = Duration.ofSeconds(1);

  /** Waits for replicas for half of it. */
  private static final JedisClientConfig IMPATIENT =
      DefaultJedisClientConfig.builder().socketTimeoutMillis(1_000).build();

  /** Waits for replicas, however slow this machine is. */
  private static final JedisClientConfig PATIENT =
      DefaultJedisClientConfig.builder().socketTimeoutMillis(40_000).build();

  private static final String[] ON_DISK = {"--appendonly", "yes", "--appendfsync", "always"};

  /** A kill only loses answers: leases and keys are on Redis' disk like everything else. */
  @Test
  void nothingAnsweredIsLostWhenRedisIsKilled() throws Exception {
    HistoryRecorder recorder = new HistoryRecorder();
    try (RedisServer server = RedisServer.start(ON_DISK);
        RedisMailbox<byte[], byte[]> mailbox =
            RedisMailbox.builder("orders", Codecs.bytes(), Codecs.bytes())
                .server(server.address())
                .build();
        MailboxDrill drill =
            new MailboxDrill(
                "k", List.of(mailbox, mailbox), mailbox, LEASE, recorder, new Random())) {
      drill.start();
      for (int kill = 1; kill <= 3; kill++) {
        int enough = 200 * kill;
        Deadline.in(Duration.ofSeconds(60))
            .await(() -> drill.accepted() >= enough, () -> "accepted: " + drill.accepted());
        server.kill();
        server.resume();
      }
      TopicEnd end = drill.drain();

      assertEquals(List.of(), drill.findings());
      assertEquals(
          List.of(), HistoryChecker.keysEndWithAck(0).check(recorder.history(), List.of(end)));
      assertTrue(drill.unknown() > 0, "no send met a kill");
    }
  }

  @Test
  void aSendWithoutAnAnswerIsOneMessageWhenRepeated() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> lonely = open(server).replicas(1).build();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      Outgoing<String, Object> apple = Outgoing.builder("apple").key("order-17").build();

      assertUnknown(() -> lonely.send(apple));
      assertUnknown(() -> lonely.send(apple));

      assertTrue(mailbox.send(apple).duplicate());
      Message<String, String> message = receive(mailbox).orElseThrow();
      assertEquals("apple", message.body());
      message.acknowledge();
      assertEquals(0, mailbox.approximateCount());
    }
  }

  /** The second finds no message, which is the work of the first. */
  @Test
  void aRepeatedAcknowledgementIsDoneOnceReplicasHaveIt() {
    try (RedisServer server = RedisServer.start();
        RedisServer replica = server.startReplica();
        RedisMailbox<String, String> sender = open(server).build();
        RedisMailbox<String, String> mailbox = open(server).replicas(1).client(IMPATIENT).build()) {
      sender.send("apple");
      Message<String, String> message = receive(mailbox).orElseThrow();
      replica.freeze();
      assertUnknown(message::acknowledge);
      assertUnknown(message::acknowledge);

      replica.proceed();

      Deadline.in(Duration.ofSeconds(60))
          .await(() -> isAcknowledged(message), () -> "the replica has the acknowledgement");
      assertEquals("0", replica.command(Command.DBSIZE));
    }
  }

  private static boolean isAcknowledged(Message<String, String> message) {
    try {
      message.acknowledge();
    } catch (MailboxConnectionException e) {
      assertEquals(Outcome.UNKNOWN, e.outcome());
    }
    return message.isFinalized();
  }

  @Test
  void anAnswerWaitsForReplicas() {
    try (RedisServer server = RedisServer.start();
        RedisServer replica = server.startReplica();
        RedisMailbox<String, String> mailbox = open(server).replicas(1).client(PATIENT).build()) {
      mailbox.send("apple");
      receive(mailbox).orElseThrow().acknowledge();
      assertEquals("0", replica.command(Command.DBSIZE));
    }
  }

  @Test
  void aServerThatIsAwayHasDoneNothing() {
    try (RedisServer server = RedisServer.start()) {
      HostAndPort away = server.address();
      server.kill();

      MailboxConnectionException failure =
          assertThrows(
              MailboxConnectionException.class,
              () ->
                  RedisMailbox.builder("orders", Codecs.utf8(), Codecs.utf8())
                      .server(away)
                      .build());

      assertEquals(Outcome.NOT_DONE, failure.outcome());
    }
  }

  @Test
  void aFullRedisRefusesSendsAndCanBeDrained() {
    try (RedisServer server = RedisServer.start("--maxmemory", "16mb");
        RedisMailbox<String, String> mailbox = open(server).build()) {
      String large = "x".repeat(1 << 20);
      int sent = 0;
      MailboxFullException full = null;
      while (full == null && sent < 32) {
        try {
          mailbox.send(large);
          sent++;
        } catch (MailboxFullException e) {
          full = e;
        }
      }
      assertTrue(full != null && sent > 0, sent + " fit");

      List<Message<String, String>> held = mailbox.receive(1, LONG, LEASE);
      held.get(0).extendVisibility(LONG);
      held.get(0).nack(Duration.ZERO, "full");
      for (int left = sent; left > 0; left--) {
        receive(mailbox).orElseThrow().acknowledge();
      }
      assertEquals(0, mailbox.approximateCount());
      mailbox.send(large);
    }
  }

  @Test
  void aReceiveWaitsOnAFullRedis() {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      mailbox.send("apple");
      mailbox.receive(1, Duration.ofMillis(300), Duration.ZERO);
      server.command(Command.CONFIG, "SET", "maxmemory", "1");

      List<Message<String, String>> again = mailbox.receive(1, LONG, Duration.ofSeconds(10));

      assertEquals(2, again.get(0).deliveryCount());
    }
  }

  @Test
  void aReceiveReturnsNoMoreThanEightMebibytes() {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      String large = "x".repeat(1 << 20);
      for (int i = 0; i < 9; i++) {
        mailbox.send(large);
      }

      // With its header, the eighth no longer fits.
      assertEquals(7, mailbox.receive(100, LONG, Duration.ZERO).size());
      assertEquals(2, mailbox.receive(100, LONG, Duration.ZERO).size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"allkeys-lru", "allkeys-lfu", "allkeys-random"})
  void aRedisThatWouldDeleteMessagesIsRefused(String policy) {
    try (RedisServer server = RedisServer.start("--maxmemory-policy", policy)) {
      IllegalStateException refusal =
          assertThrows(IllegalStateException.class, () -> open(server).build());
      assertTrue(refusal.toString().contains(policy), refusal::toString);
    }
  }

  @Test
  void aRedisWithAPasswordKeepsOthersOut() {
    try (RedisServer server = RedisServer.start()) {
      server.command(Command.CONFIG, "SET", "requirepass", "secret");
      assertThrows(AccessDeniedException.class, () -> open(server).build());
    }
  }

  @Test
  void leasesThatEndTogetherComeBackInOrder() {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      List<String> bodies = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        bodies.add("apple " + i);
        mailbox.send("apple " + i);
      }
      assertEquals(20, mailbox.receive(20, Duration.ofMillis(1), Duration.ZERO).size());
      Deadline.in(Duration.ofSeconds(30))
          .await(
              () -> server.command(Command.ZCOUNT, INVISIBLE, "-inf", now(server)).equals("20"),
              () -> "the leases end");

      List<String> again = new ArrayList<>();
      mailbox.receive(100, LONG, Duration.ZERO).forEach(message -> again.add(message.body()));

      assertEquals(bodies, again);
    }
  }

  private static final String INVISIBLE = "{queue:orders}:invisible";

  /** Redis' time in microseconds, a millisecond ago. */
  private static String now(RedisServer server) {
    return server.command(
        Command.EVAL,
        "local t = redis.call('TIME') return string.format('%.0f', t[1] * 1000000 + t[2] - 1000)",
        "0");
  }

  @Test
  void aRecordThatNoSendWroteFailsOnlyItsBody() {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      server.command(Command.HSET, "{queue:orders}:data", "i:strange", "strange");
      server.command(Command.RPUSH, "{queue:orders}:pending", "i:strange");
      mailbox.send("apple");

      List<Message<String, String>> received = mailbox.receive(2, LONG, Duration.ZERO);

      assertThrows(IntegrityException.class, () -> received.get(0).body());
      received.get(0).acknowledge();
      assertEquals("apple", received.get(1).body());
    }
  }

  @Test
  void nothingIsLeftOfAcknowledgedMessages() {
    try (RedisServer server = RedisServer.start();
        RedisMailbox<String, String> mailbox = open(server).build()) {
      mailbox.send(Outgoing.builder("apple").key("order-17").build());
      receive(mailbox).orElseThrow().nack(Duration.ZERO, "again");
      receive(mailbox).orElseThrow().acknowledge();
      assertEquals("0", server.command(Command.DBSIZE));
    }
  }

  @Test
  void anExtensionAfterOneWithoutAnAnswerUsesANewConnection() {
    try (RedisServer server = RedisServer.start();
        HoldingProxy proxy = new HoldingProxy(server.address().getPort());
        RedisMailbox<String, String> mailbox =
            RedisMailbox.builder("orders", Codecs.utf8(), Codecs.utf8())
                .server(new HostAndPort("127.0.0.1", proxy.port()))
                .client(IMPATIENT)
                .build()) {
      mailbox.send("apple");
      Message<String, String> message = receive(mailbox).orElseThrow();
      proxy.hold();

      List<Optional<RuntimeException>> again =
          mailbox.extendAll(List.of(message), new Extension(LONG, LONG, Duration.ofMillis(1)));

      assertEquals(List.of(Optional.empty()), again);
    }
  }

  private static RedisMailbox.Builder<String, String> open(RedisServer server) {
    return RedisMailbox.builder("orders", Codecs.utf8(), Codecs.utf8()).server(server.address());
  }

  private static Optional<Message<String, String>> receive(RedisMailbox<String, String> mailbox) {
    return mailbox.receive(1, LONG, Duration.ZERO).stream().findFirst();
  }

  private static void assertUnknown(Runnable call) {
    MailboxConnectionException failure = assertThrows(MailboxConnectionException.class, call::run);
    assertEquals(Outcome.UNKNOWN, failure.outcome());
  }
}
