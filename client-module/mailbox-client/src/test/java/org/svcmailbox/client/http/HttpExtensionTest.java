package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.test.net.LoopbackHttp;

/** Extensions of many leases, and connections that do not answer. */
@Timeout(60)
class HttpExtensionTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofMillis(500);

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final CountDownLatch release = new CountDownLatch(1);

  HttpExtensionTest() throws Exception {}

  @AfterEach
  void close() {
    release.countDown();
    fixture.close();
  }

  private List<Message<String, String>> receive(HttpMailbox<String, String> mailbox, int count) {
    service.next(
        200,
        ScriptedService.received(
            IntStream.range(0, count)
                .mapToObj(i -> ScriptedService.leased("orders", "m" + i, "apple", Map.of()))
                .toArray(ObjectNode[]::new)));
    return mailbox.receive(count, LEASE, Duration.ZERO);
  }

  @Test
  void manyLeasesAreExtendedInOneRequestAndEachHasItsResult() {
    HttpMailbox<String, String> mailbox = fixture.open();
    List<Message<String, String>> messages = receive(mailbox, 2);
    service.next(
        200,
        "{\"results\":[{\"ok\":true},{\"error\":{\"status\":410,\"msg_id\":\"m1\",\"why\":\"expired\"}}]}");

    List<Optional<RuntimeException>> failures =
        mailbox.extendAll(messages, new Extension(LEASE, LEASE, Duration.ZERO));

    assertEquals(2, service.requests().size());
    assertEquals("/v1/extend/batch", service.request(1).path());
    assertEquals(2, service.request(1).json().path("extends").size());
    assertEquals(Optional.empty(), failures.get(0));
    assertInstanceOf(ReceiptHandleExpiredException.class, failures.get(1).orElseThrow());
  }

  @Test
  void anExtensionWaitsForNoRoomAmongTheConnections() {
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.connections(HttpConnections.builder().max(2).build()));
    List<Message<String, String>> messages = receive(mailbox, 1);
    for (int i = 0; i < 2; i++) {
      service.next(
          (exchange, request) -> {
            release.await();
            exchange.close();
          });
      CompletableFuture<String> unused = HttpFixture.begin(() -> mailbox.send("pear"));
    }
    service.awaitRequest(2);

    assertEquals(
        List.of(Optional.empty()),
        mailbox.extendAll(messages, new Extension(LEASE, SOON, Duration.ZERO)));
  }

  @Test
  void aCallWithoutAnAnswerIsRepeatedOnANewConnection() {
    try (Relay relay = new Relay(service.uri().getPort());
        HttpMailbox<String, String> mailbox =
            fixture
                .builder(relay.uri())
                .connections(HttpConnections.builder().build())
                .callTimeout(SOON)
                .build()) {
      Message<String, String> message = receive(mailbox, 1).get(0);
      openConnections(mailbox);
      relay.freeze();

      assertThrows(MailboxConnectionException.class, message::acknowledge);
      message.acknowledge();
    }
  }

  /** At the same time, and left open. */
  private void openConnections(HttpMailbox<String, String> mailbox) {
    int count = 4;
    CountDownLatch together = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      service.next(
          (exchange, request) -> {
            together.countDown();
            together.await();
            LoopbackHttp.answer(
                exchange, 200, "application/json", "{\"msg_id\":\"s\",\"duplicate\":false}");
          });
    }
    List<CompletableFuture<String>> sends =
        IntStream.range(0, count)
            .mapToObj(i -> HttpFixture.begin(() -> mailbox.send("pear")))
            .toList();
    sends.forEach(CompletableFuture::join);
  }
}
