package org.svcmailbox.client.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.test.concurrent.BlockedCommonPool;

/** A mailbox in an application that blocks the common pool. */
@Timeout(60)
class BlockedCommonPoolTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BlockedCommonPool pool = new BlockedCommonPool();
  private final QueueService service = new QueueService();
  private final HttpMailbox<String, String> orders =
      HttpMailbox.builder(
              URI.create("http://127.0.0.1:" + service.port()),
              TokenSource.of(ScriptedService.TOKEN),
              HttpFixture.TOPIC,
              Codecs.utf8(),
              Codecs.utf8())
          .sendTimeout(PATIENCE)
          .callTimeout(PATIENCE)
          .build();

  BlockedCommonPoolTest() throws Exception {}

  @AfterEach
  void close() {
    orders.close();
    service.close();
    pool.close();
  }

  @Test
  void callsAreAnswered() throws Exception {
    orders.send("apple");
    orders.sendAsync(Outgoing.of("pear")).toCompletableFuture().get(10, SECONDS);
    List<Message<String, String>> messages = orders.receive(2, Duration.ofHours(1), PATIENCE);
    assertEquals(List.of("apple", "pear"), messages.stream().map(Message::body).toList());
    messages.forEach(Message::acknowledge);
    assertEquals(0, service.topic(HttpFixture.TOPIC).approximateCount());
  }

  @Test
  void aRefusedConnectionIsNotDone() {
    service.close();
    MailboxConnectionException refused =
        assertThrows(MailboxConnectionException.class, () -> orders.send("apple"));
    assertEquals(Outcome.NOT_DONE, refused.outcome());
  }
}
