package org.svcmailbox.client.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.BreakingProxy.Fault;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** Asynchronous sends: how they are gathered, and that each has a result of its own. */
@Timeout(60)
class RedisBatchTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int TIMEOUT_MILLIS = 20_000;

  /** The answer to a send that was accepted. */
  private static final int ANSWER_BYTES = "*2\r\n:0\r\n$32\r\n\r\n".length() + 32;

  private static RedisServer server;
  private static RedisServer replica;

  private String name = "";

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    replica = server.startReplica();
  }

  @AfterAll
  static void end() {
    replica.close();
    server.close();
  }

  /** The script is known to Redis, so that each batch is one round trip. */
  @BeforeEach
  void begin(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    try (RedisMailbox<String, String> mailbox = open(UnaryOperator.identity())) {
      mailbox.send("first");
      mailbox.receive(1, LONG, Duration.ZERO).forEach(Message::acknowledge);
    }
    server.command(Command.CONFIG, "RESETSTAT");
  }

  @AfterEach
  void resume() {
    server.command(Command.CLIENT, "UNPAUSE");
  }

  private RedisMailbox<String, String> open(
      UnaryOperator<RedisMailbox.Builder<String, String>> change) {
    return change
        .apply(
            RedisMailbox.builder(name, Codecs.utf8(), Codecs.utf8())
                .server(server.address())
                .client(
                    DefaultJedisClientConfig.builder().socketTimeoutMillis(TIMEOUT_MILLIS).build()))
        .build();
  }

  /** From now on, Redis answers nothing until {@link #resume}. */
  private static void pause() {
    server.command(Command.CLIENT, "PAUSE", Integer.toString(TIMEOUT_MILLIS), "WRITE");
  }

  private static Outgoing<String, Object> message(int i) {
    return Outgoing.builder("apple " + i).key("key-" + i).build();
  }

  private static List<CompletableFuture<Sent>> sendAsync(
      RedisMailbox<String, String> mailbox, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> mailbox.sendAsync(message(i)).toCompletableFuture())
        .toList();
  }

  /** Sends one message, and returns when it is out and the next ones have to wait. */
  private static CompletableFuture<Sent> sendFirst(RedisMailbox<String, String> mailbox) {
    CompletableFuture<Sent> first = sendAsync(mailbox, 0, 1).get(0);
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> server.blockedClients() > 0, () -> "the first batch is out");
    return first;
  }

  private static void awaitAll(List<CompletableFuture<Sent>> stages) throws Exception {
    for (CompletableFuture<Sent> stage : stages) {
      assertFalse(stage.get(20, SECONDS).duplicate());
    }
  }

  private static <X extends Throwable> X failure(Class<X> type, CompletableFuture<Sent> stage) {
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> stage.get(20, SECONDS));
    return assertInstanceOf(type, thrown.getCause());
  }

  /** Each batch waits for replicas once. */
  private static long batches() {
    return server.calls("wait");
  }

  @Test
  void messagesGatherWhileABatchIsOutAndKeepTheirOrder() throws Exception {
    try (RedisMailbox<String, String> mailbox = open(builder -> builder.replicas(1))) {
      pause();
      List<CompletableFuture<Sent>> stages = new ArrayList<>(List.of(sendFirst(mailbox)));
      stages.addAll(sendAsync(mailbox, 1, 201));

      resume();
      awaitAll(stages);

      assertEquals(3, batches(), "batches of 1, 100 and 100");
      List<String> received = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        mailbox.receive(100, LONG, Duration.ZERO).forEach(message -> received.add(message.body()));
      }
      assertEquals(IntStream.range(0, 201).mapToObj(i -> "apple " + i).toList(), received);
    }
  }

  @Test
  void aBatchHoldsAMebibyteOfBodies() throws Exception {
    try (RedisMailbox<String, String> mailbox = open(builder -> builder.replicas(1))) {
      pause();
      List<CompletableFuture<Sent>> stages = new ArrayList<>(List.of(sendFirst(mailbox)));
      for (int bytes : new int[] {1 << 19, 1 << 19, 1, 1 << 19, 1 << 19}) {
        stages.add(mailbox.sendAsync(Outgoing.of("x".repeat(bytes))).toCompletableFuture());
      }

      resume();
      awaitAll(stages);

      assertEquals(4, batches(), "batches of 1, 2, 2 and 1");
    }
  }

  @Test
  void aRefusedMessageFailsAlone() throws Exception {
    try (RedisMailbox<String, String> mailbox = open(builder -> builder.capacity(3))) {
      pause();
      CompletableFuture<Sent> first = sendFirst(mailbox);
      List<CompletableFuture<Sent>> stages =
          IntStream.of(1, 0, 2, 3)
              .mapToObj(i -> Outgoing.builder("pear " + i).key("key-" + i).build())
              .map(message -> mailbox.sendAsync(message).toCompletableFuture())
              .toList();

      resume();

      awaitAll(List.of(first, stages.get(0), stages.get(2)));
      KeyConflictException unused = failure(KeyConflictException.class, stages.get(1));
      MailboxFullException full = failure(MailboxFullException.class, stages.get(3));
      assertTrue(full.toString().contains("3 messages"), full::toString);
      assertEquals(3, mailbox.approximateCount());
    }
  }

  @Test
  void whatABrokenConnectionLeavesUnansweredIsOneMessageWhenRepeated() throws Exception {
    try (BreakingProxy proxy = new BreakingProxy(server.address().getPort());
        RedisMailbox<String, String> mailbox =
            open(builder -> builder.server(new HostAndPort("127.0.0.1", proxy.port())))) {
      pause();
      List<CompletableFuture<Sent>> stages = new ArrayList<>(List.of(sendFirst(mailbox)));
      stages.addAll(sendAsync(mailbox, 1, 10));
      proxy.breakNext(Fault.CUT, 4 * ANSWER_BYTES + 1);

      resume();

      awaitAll(stages.subList(0, 4));
      for (CompletableFuture<Sent> stage : stages.subList(4, 10)) {
        assertEquals(Outcome.UNKNOWN, failure(MailboxConnectionException.class, stage).outcome());
      }
      for (CompletableFuture<Sent> again : sendAsync(mailbox, 4, 10)) {
        assertTrue(again.get(20, SECONDS).duplicate());
      }
      assertEquals(10, mailbox.approximateCount());
    }
  }

  @Test
  void aFullBufferRefusesUntilThereAreAnswers() throws Exception {
    try (RedisMailbox<String, String> mailbox = open(builder -> builder.buffer(3, 16 << 20))) {
      pause();
      List<CompletableFuture<Sent>> stages = sendAsync(mailbox, 0, 3);
      MailboxFullException unused =
          failure(MailboxFullException.class, sendAsync(mailbox, 3, 4).get(0));

      resume();

      awaitAll(stages);
      awaitAll(sendAsync(mailbox, 4, 7));
    }
  }

  @Test
  void aBufferIsBoundedInBytesToo() throws Exception {
    try (RedisMailbox<String, String> mailbox = open(builder -> builder.buffer(100, 2 << 20))) {
      pause();
      Outgoing<String, Object> large = Outgoing.of("x".repeat(1 << 20));
      CompletableFuture<Sent> first = mailbox.sendAsync(large).toCompletableFuture();
      MailboxFullException unused =
          failure(MailboxFullException.class, mailbox.sendAsync(large).toCompletableFuture());

      resume();

      awaitAll(List.of(first));
    }
    assertThrows(
        IllegalArgumentException.class, () -> open(builder -> builder.buffer(100, (2 << 20) - 1)));
  }

  @Test
  void closingWaitsForAnswers() throws Exception {
    RedisMailbox<String, String> mailbox = open(UnaryOperator.identity());
    pause();
    List<CompletableFuture<Sent>> stages = new ArrayList<>(List.of(sendFirst(mailbox)));
    stages.addAll(sendAsync(mailbox, 1, 10));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(mailbox::close, OwnThread.EXECUTOR);
    Deadline.in(Duration.ofSeconds(10)).await(mailbox::isClosed, () -> "closing has begun");
    assertFalse(closed.isDone());

    resume();
    closed.get(20, SECONDS);

    assertTrue(stages.stream().allMatch(CompletableFuture::isDone));
    awaitAll(stages);
  }

  @Test
  void closingFailsWhatHasNoAnswerInTime() {
    RedisMailbox<String, String> mailbox = open(builder -> builder.flush(Duration.ofMillis(100)));
    pause();
    CompletableFuture<Sent> first = sendFirst(mailbox);
    CompletableFuture<Sent> second = sendAsync(mailbox, 1, 2).get(0);

    mailbox.close();

    assertTrue(first.isDone() && second.isDone());
    assertEquals(Outcome.UNKNOWN, failure(MailboxConnectionException.class, first).outcome());
    MailboxClosedException unused = failure(MailboxClosedException.class, second);
  }
}
