package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;

/** A server with room for few streams, and its end. */
@Tag("nightly")
class StreamBoundsIT {
  private static final int MOST = 3;
  private static final Duration SOON = Duration.ofSeconds(30);

  /** A slow client is left after 30 s. */
  private static final Duration SLOW = Duration.ofSeconds(60);

  private static MailboxServer server;
  private static MailboxClient client;

  private final String topic = TestTopics.fresh("stream");

  @BeforeAll
  static void start() {
    server =
        MailboxServer.start(
            "streams",
            Map.of("MAILBOX_STREAMS", Integer.toString(MOST), "MAILBOX_FAIR_SHARE", "100"));
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private MessageStream open() throws IOException {
    return MessageStream.open(server.target(), Fields.of("topic", topic));
  }

  private static double metric(String name) throws IOException {
    return Scrape.of(client.with(null).get("/metrics").expect(200).text()).value(name);
  }

  private static double used() throws IOException {
    return metric("bound_used{bound=\"streams\"}");
  }

  private static void awaitUsed(double wanted) {
    Deadline.in(SOON).await(() -> used() == wanted, () -> "streams are open");
  }

  @Test
  void oneTooManyIsRefusedUntilAPlaceIsFree() throws IOException {
    awaitUsed(0);
    List<MessageStream> streams = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      MessageStream stream = open();
      assertEquals(200, stream.status());
      streams.add(stream);
    }
    assertEquals(MOST, used());
    assertEquals(MOST, metric("stream_open{door=\"http\"}"));
    double refused = metric("rejected_total{reason=\"streams\"}");
    try (MessageStream other = open()) {
      assertEquals(429, other.status());
      assertEquals("streams", other.problem().path("reason").asText());
      assertTrue(Integer.parseInt(other.header("retry-after")) >= 1);
    }
    assertEquals(refused + 1, metric("rejected_total{reason=\"streams\"}"));
    for (MessageStream stream : streams) {
      stream.close();
    }
    awaitUsed(0);
    try (MessageStream again = open()) {
      assertEquals(200, again.status());
    }
  }

  @Test
  void aClientThatReadsNothingIsLeft() throws IOException {
    awaitUsed(0);
    for (int i = 0; i < 8; i++) {
      client.send(topic, "key" + i, new byte[1 << 20]).expect(200);
    }
    double slow = metric("stream_closed_total{door=\"http\",reason=\"slow\"}");
    try (RawConnection unread = server.target().connectNarrow()) {
      Fields request = Fields.of("topic", topic).with("window_bytes", 8 << 20);
      unread.send(server.target().post("/v1/recv/stream", request));
      Deadline.in(SLOW)
          .await(
              () -> metric("stream_closed_total{door=\"http\",reason=\"slow\"}") == slow + 1,
              () -> "the client is not slow");
      awaitUsed(0);
      assertEquals(0, metric("bound_used{bound=\"recv_bytes\"}"));
    }
  }

  @Test
  void aServerThatStopsEndsItsStreamsAndKeepsTheirLeases() throws Exception {
    awaitUsed(0);
    client.send(topic, "key", new byte[1]).expect(200);
    try (MessageStream stream = open()) {
      stream.next("open");
      Message held = stream.messages(1).get(0);
      CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(server::terminate);
      assertEquals("drain", stream.next("end").path("reason").asText());
      assertNull(stream.next());
      ended.get(60, TimeUnit.SECONDS);
      server.restart();
      client.ack(held).expect(200);
    }
  }
}
