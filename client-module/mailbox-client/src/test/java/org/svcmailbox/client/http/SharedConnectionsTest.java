package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.loop.MessageHandler;
import org.svcmailbox.test.log.OwnLog;

/** Many mailboxes on one {@link HttpConnections}: their turns, their close, and their stop. */
@Timeout(120)
class SharedConnectionsTest {
  private static final int LOOPS = 40;
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final QueueService service = new QueueService();
  private final HttpConnections connections = HttpConnections.builder().build();
  private final List<HttpMailbox<String, String>> mailboxes = new ArrayList<>();
  private final List<MainLoop<?, ?>> loops = new ArrayList<>();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    never.countDown();
    boolean unused = MainLoop.stopAll(loops, Duration.ZERO);
    connections.close();
    service.close();
  }

  private static String name(int number) {
    return "orders-" + number;
  }

  private HttpMailbox<String, String> open(int number) {
    return open(number, connections);
  }

  private HttpMailbox<String, String> open(int number, HttpConnections on) {
    HttpMailbox<String, String> mailbox =
        HttpMailbox.builder(
                URI.create("http://127.0.0.1:" + service.port()),
                TokenSource.of(ScriptedService.TOKEN),
                name(number),
                Codecs.utf8(),
                Codecs.utf8())
            .connections(on)
            .build();
    mailboxes.add(mailbox);
    return mailbox;
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static void assertWithin(Duration most, Duration taken, String what) {
    assertTrue(taken.compareTo(most) < 0, what + " took " + taken);
  }

  private MainLoop<String, String> startLoop(int number, MessageHandler<String, String> handler) {
    MainLoop<String, String> loop = MainLoop.handling(open(number), handler).start();
    loops.add(loop);
    return loop;
  }

  private CompletableFuture<List<Message<String, String>>> beginReceive(
      HttpMailbox<String, String> mailbox) {
    return HttpFixture.begin(() -> mailbox.receive(1, LEASE, WAIT));
  }

  @Test
  void aMessageInAnyOfManyIdleMailboxesIsReceivedSoon() throws Exception {
    BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    for (int i = 0; i < LOOPS; i++) {
      startLoop(
          i,
          message -> {
            handled.add(message.body());
            return null;
          });
    }
    service.awaitReceives(HttpConnections.DEFAULT_MAX / 2);
    // The last one first: each message makes its loop leave its place to another.
    for (int i = LOOPS - 1; i >= 0; i--) {
      long begun = System.nanoTime();
      service.topic(name(i)).send(QueueService.message("to " + i));

      assertEquals("to " + i, handled.poll(60, SECONDS));
      assertWithin(Duration.ofSeconds(2), since(begun), "the message in mailbox " + i);
    }
  }

  /** Its turns are of no concern to the caller. */
  @Test
  void aReceiveThatTakesTurnsWaitsForAsLongAsItIsAskedTo() throws Exception {
    HttpConnections narrow = HttpConnections.builder().max(2).build();
    List<CompletableFuture<List<Message<String, String>>>> receives = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      HttpMailbox<String, String> mailbox = open(i, narrow);
      receives.add(HttpFixture.begin(() -> mailbox.receive(1, LEASE, Duration.ofSeconds(4))));
      service.awaitReceives(i + 1);
    }
    long begun = System.nanoTime();
    Thread.sleep(1_600);
    service.topic(name(2)).send(QueueService.message("late"));

    assertEquals("late", receives.get(2).get(10, SECONDS).get(0).body());
    assertEquals(List.of(), receives.get(1).get(10, SECONDS));
    assertTrue(since(begun).toMillis() > 2_000);
    narrow.close();
  }

  @Test
  void receivesThatTakeTurnsAreLoggedOnceWithTheSetting() {
    HttpConnections narrow = HttpConnections.builder().max(2).build();
    HttpMailbox<String, String> mailbox = open(0, narrow);
    CompletableFuture<List<Message<String, String>>> first = beginReceive(mailbox);
    service.awaitReceives(1);
    try (OwnLog log = new OwnLog(HttpMailbox.class.getName())) {
      for (int i = 0; i < 2; i++) {
        assertEquals(List.of(), mailbox.receive(1, LEASE, Duration.ofMillis(10)));
      }
      assertEquals(1, log.lines().size());
      assertTrue(
          log.lines().get(0).contains("HttpConnections.Builder.max, now 2"), log.lines()::toString);
    }
    narrow.close();
    assertEquals(List.of(), first.join());
  }

  @Test
  void closingConnectionsClosesTheirMailboxes() throws Exception {
    List<CompletableFuture<List<Message<String, String>>>> receives = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      receives.add(beginReceive(open(i)));
      service.awaitReceives(i + 1);
    }

    connections.close();
    connections.close();

    for (CompletableFuture<List<Message<String, String>>> receive : receives) {
      assertEquals(List.of(), receive.get(10, SECONDS));
    }
    mailboxes.forEach(mailbox -> assertTrue(mailbox.isClosed()));
    assertThrows(MailboxClosedException.class, () -> mailboxes.get(0).send("late"));
    assertThrows(IllegalStateException.class, () -> open(3));
  }

  @Test
  void anIdleLoopStopsAtOnce() throws Exception {
    MainLoop<String, String> loop = startLoop(0, message -> null);
    service.awaitReceives(1);
    // So long that an answer would be there if there were one.
    Thread.sleep(400);

    long begun = System.nanoTime();
    assertTrue(loop.stop(Duration.ofSeconds(10)));

    assertWithin(Duration.ofMillis(300), since(begun), "the stop");
  }

  @Test
  void manyLoopsStopSideBySide() throws Exception {
    CountDownLatch began = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      service.topic(name(i)).send(QueueService.message("long"));
      startLoop(
          i,
          message -> {
            began.countDown();
            never.await();
            return null;
          });
    }
    assertTrue(began.await(10, SECONDS));

    long begun = System.nanoTime();
    assertFalse(MainLoop.stopAll(loops, Duration.ofSeconds(2)));

    assertWithin(Duration.ofSeconds(4), since(begun), "the stop");
    loops.forEach(loop -> assertFalse(loop.isRunning()));
    for (int i = 0; i < 8; i++) {
      assertEquals(2, mailboxes.get(i).receive(1, LEASE, WAIT).get(0).deliveryCount());
    }
  }
}
