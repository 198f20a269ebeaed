package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.test.concurrent.OwnThread;

class TestDoublesTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  @Test
  void theNullMailboxDropsAndChecks() {
    NullMailbox<String, String> mailbox = new NullMailbox<>("nowhere");

    mailbox.send("apple");

    assertEquals(0, mailbox.approximateCount());
    assertEquals(List.of(), mailbox.receive(1, LEASE, Duration.ZERO));
    assertEquals(OptionalLong.of(0), mailbox.purge());
    assertThrows(IllegalArgumentException.class, () -> mailbox.receive(0, LEASE, Duration.ZERO));
    mailbox.close();
    assertThrows(MailboxClosedException.class, () -> mailbox.send("apple"));
  }

  @Test
  void theNullMailboxWaitsAsLongAsItIsAskedTo() throws Exception {
    VirtualClock clock = new VirtualClock();
    NullMailbox<String, String> mailbox = new NullMailbox<>("nowhere", clock);
    CompletableFuture<List<Message<String, String>>> waited =
        CompletableFuture.supplyAsync(
            () -> mailbox.receive(1, LEASE, Duration.ofSeconds(20)), OwnThread.EXECUTOR);
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(20));

    assertEquals(List.of(), waited.get(10, TimeUnit.SECONDS));
  }

  @Test
  void closingEndsAReceiveOfTheNullMailbox() throws Exception {
    VirtualClock clock = new VirtualClock();
    NullMailbox<String, String> mailbox = new NullMailbox<>("nowhere", clock);
    CompletableFuture<List<Message<String, String>>> waited =
        CompletableFuture.supplyAsync(
            () -> mailbox.receive(1, LEASE, Duration.ofSeconds(20)), OwnThread.EXECUTOR);
    clock.awaitWaiters(1);

    mailbox.close();

    assertEquals(List.of(), waited.get(10, TimeUnit.SECONDS));
  }

  @Test
  void theCollectingMailboxKeepsWhatIsSentByEveryWay() {
    CollectingMailbox<String, String> mailbox = new CollectingMailbox<>("receipts");
    NullMailbox<String, String> replies = new NullMailbox<>("replies");

    mailbox.send("one");
    mailbox.send("two", replies);
    mailbox.send(Outgoing.builder("three").key("3").build());
    mailbox.sendAll(List.of(Outgoing.of("four"), Outgoing.of("five")));
    mailbox.sendAsync(Outgoing.of("six"));

    assertEquals(List.of("one", "two", "three", "four", "five", "six"), mailbox.bodies());
    assertEquals(Optional.of("3"), mailbox.sent().get(2).key());
    assertEquals("replies", mailbox.sent().get(1).replyTo().orElseThrow().name());
    assertEquals(6, mailbox.approximateCount());
    assertEquals(List.of(), mailbox.receive(1, LEASE, Duration.ZERO));
    assertEquals(OptionalLong.of(6), mailbox.purge());
    assertEquals(List.of(), mailbox.sent());
  }

  @Test
  void theCollectingMailboxIsBounded() {
    CollectingMailbox<String, String> mailbox = new CollectingMailbox<>("receipts");
    for (int i = 0; i < InMemoryMailbox.DEFAULT_CAPACITY - 1; i++) {
      mailbox.send("apple");
    }

    List<SendResult> last =
        mailbox.sendAll(List.of(Outgoing.of("fits"), Outgoing.of("does not fit")));

    assertInstanceOf(SendResult.Accepted.class, last.get(0));
    assertThrows(MailboxFullException.class, last.get(1)::orThrow);
    assertThrows(MailboxFullException.class, () -> mailbox.send("neither does this"));
    CompletableFuture<Sent> stage =
        mailbox.sendAsync(Outgoing.of("nor this")).toCompletableFuture();
    assertInstanceOf(
        MailboxFullException.class, assertThrows(ExecutionException.class, stage::get).getCause());
  }

  @Test
  void theCollectingMailboxClosesAndTakesReplies() {
    CollectingMailbox<String, Object> replies = new CollectingMailbox<>("replies");
    InMemoryMailbox<String, String> requests =
        InMemoryMailbox.<String, String>builder("requests")
            .resolver(MailboxResolver.of(replies))
            .build();
    requests.send("two apples", replies);

    requests.receive(1, LEASE, Duration.ZERO).get(0).reply("one");

    assertEquals(List.of("one"), replies.bodies());
    replies.close();
    assertTrue(replies.isClosed());
    assertThrows(MailboxClosedException.class, () -> replies.send("late"));
  }
}
