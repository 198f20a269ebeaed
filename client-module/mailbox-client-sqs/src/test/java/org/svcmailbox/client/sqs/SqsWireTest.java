package org.svcmailbox.client.sqs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.codec.Codecs;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Messages as other clients of SQS see and send them, and the limits that a queue sets. */
class SqsWireTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static ElasticMq server;
  private static Faults network;
  private static int queues;

  private String queue;
  private String url;

  @BeforeAll
  static void start() throws IOException {
    server = new ElasticMq();
    network = new Faults(server);
  }

  @AfterAll
  static void end() {
    network.close();
    server.close();
  }

  @BeforeEach
  void create() {
    queue = "wire-" + ++queues;
    url = server.create(queue);
  }

  @Test
  void aPlainMessageIsNothingButItsText() {
    JsonNode entry = sent(Outgoing.of("grün \ud83c\udf4e\r\n"));
    assertEquals("grün \ud83c\udf4e\r\n", entry.path("MessageBody").asText());
    assertEquals(0, entry.path("MessageAttributes").size());
  }

  @Test
  void whatSqsTakesIsAnAttributeAndTheRestIsInTheHeader() {
    try (SqsMailbox<String, String> replies = open("replies", server.create("replies"))) {
      JsonNode entry =
          sent(
              Outgoing.builder("apple")
                  .replyTo(replies)
                  .correlationId("order-17")
                  .attribute("colour", "grün")
                  .attribute("a.b-c_d", "x")
                  .attribute("with space", "x")
                  .attribute("AWS.reserved", "x")
                  .attribute("amazon.reserved", "x")
                  .attribute(".leading", "x")
                  .attribute("two..dots", "x")
                  .attribute("empty", "")
                  .build());

      JsonNode attributes = entry.path("MessageAttributes");
      Set<String> names = new TreeSet<>();
      attributes.fieldNames().forEachRemaining(names::add);
      assertEquals(Set.of("a.b-c_d", "colour", "mailbox.header", "mailbox.reply_to"), names);
      assertEquals("replies", attributes.at("/mailbox.reply_to/StringValue").asText());
    }
  }

  /** SQS takes ten; the reply mailbox and the header are the others. */
  @Test
  void eightAttributesTravelAndANinthIsRefused() {
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      var eight = Outgoing.builder("apple").replyTo(mailbox).correlationId("order-17");
      IntStream.range(0, 8).forEach(i -> eight.attribute("a" + i, "x"));
      mailbox.send(eight.build());
      assertEquals(8, receive(mailbox).attributes().size());

      var nine = Outgoing.builder("apple");
      IntStream.range(0, 9).forEach(i -> nine.attribute("a" + i, "x"));
      assertThrows(IllegalArgumentException.class, () -> mailbox.send(nine.build()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x0, 0x1, 0xb, 0x1f, 0xfffe, 0xffff})
  void charactersThatXmlLacksTravel(int character) {
    String text = "apple" + Character.toString(character);
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      mailbox.send(Outgoing.builder(text).attribute("strange", text).build());
      Message<String, String> message = receive(mailbox);
      assertEquals(text, message.body());
      assertEquals(Map.of("strange", text), message.attributes());
    }
  }

  @Test
  void anyBytesTravel() {
    byte[] bytes = new byte[256];
    IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
    try (SqsMailbox<byte[], byte[]> mailbox =
        SqsMailbox.builder(queue, Codecs.bytes(), Codecs.bytes())
            .client(client -> ElasticMq.at(server.uri(), client))
            .build()) {
      mailbox.send(bytes);
      assertArrayEquals(bytes, mailbox.receive(1, LONG, PATIENCE).get(0).body());
    }
  }

  @Test
  void messagesOfOthersAreRead() {
    server
        .admin()
        .sendMessage(
            request ->
                request
                    .queueUrl(url)
                    .messageBody("<apple/>")
                    .messageAttributes(
                        Map.of(
                            "count",
                            MessageAttributeValue.builder()
                                .dataType("Number")
                                .stringValue("17")
                                .build(),
                            "bytes",
                            MessageAttributeValue.builder()
                                .dataType("Binary")
                                .binaryValue(SdkBytes.fromByteArray(new byte[] {1, 2, 3}))
                                .build())));
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      Message<String, String> message = receive(mailbox);
      assertEquals("<apple/>", message.body());
      assertEquals(Map.of("count", "17", "bytes", "AQID"), message.attributes());
      Duration age = Duration.between(message.enqueuedAt(), Instant.now());
      assertTrue(age.abs().compareTo(Duration.ofMinutes(1)) < 0, age::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no json",
        "null",
        "{\"encoding\":\"base64\"}",
        "{\"encoding\":\"zip\"}",
        "{\"attributes\":{\"a\":null}}",
        "[]"
      })
  void aHeaderThatNoMailboxWroteFailsOnlyTheBody(String header) {
    server
        .admin()
        .sendMessage(
            request ->
                request
                    .queueUrl(url)
                    .messageBody("<apple/>")
                    .messageAttributes(
                        Map.of(
                            WireMessage.HEADER,
                            MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue(header)
                                .build())));
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      Message<String, String> message = receive(mailbox);
      assertThrows(IntegrityException.class, message::body);
      assertEquals("<apple/>", new String(message.rawBody(), StandardCharsets.UTF_8));
      message.acknowledge();
    }
  }

  @Test
  void anAlteredBodyFailsOnlyItself() {
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      mailbox.send("two apples");
      mailbox.send("a pear");
      network.next("ReceiveMessage", network.changed(answer -> answer.replace("two", "six")));
      for (Message<String, String> message : mailbox.receive(2, LONG, Duration.ZERO)) {
        if (new String(message.rawBody(), StandardCharsets.UTF_8).equals("a pear")) {
          assertEquals("a pear", message.body());
        } else {
          assertThrows(IntegrityException.class, message::body);
        }
      }
    }
  }

  @Test
  void theQueueSaysHowLargeAMessageMayBe() {
    network.next(
        "GetQueueAttributes",
        Faults.answer(200, "{\"Attributes\":{\"MaximumMessageSize\":\"2048\"}}"));
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      assertEquals(2048, mailbox.features().maxBodyBytes());
      mailbox.send("x".repeat(2048));
      assertThrows(SerializationException.class, () -> mailbox.send("x".repeat(2049)));
      // As base64, it has 2,056 bytes and more.
      assertThrows(SerializationException.class, () -> mailbox.send("\u0001".repeat(1_540)));
      assertThrows(
          SerializationException.class,
          () ->
              mailbox.send(
                  Outgoing.builder("x".repeat(2_000)).attribute("a", "x".repeat(42)).build()));
      mailbox.send(Outgoing.builder("x".repeat(2_000)).attribute("a", "x".repeat(41)).build());
      assertEquals(2, mailbox.approximateCount());
    }
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      assertEquals(256 << 10, mailbox.features().maxBodyBytes(), "where it does not say");
    }
  }

  @Test
  void deadLettersAreTheQueuesOwnIfItHasAPolicy() {
    String dead = server.create(queue + "-dead");
    String failing =
        server.create(
            queue + "-failing",
            Map.of(
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\"arn:aws:sqs:elasticmq:000000000000:"
                    + queue
                    + "-dead\",\"maxReceiveCount\":2}"));
    try (SqsMailbox<String, String> mailbox = open(queue + "-failing", failing);
        SqsMailbox<String, String> letters = open(queue + "-dead", dead)) {
      assertEquals(DeadLetters.NATIVE, mailbox.features().deadLetters());
      assertEquals(2, mailbox.features().maxDeliveries());
      assertEquals(DeadLetters.LOOP, letters.features().deadLetters());
      String id = mailbox.send("apple");
      receive(mailbox).nack(Duration.ZERO, "once");
      receive(mailbox).nack(Duration.ZERO, "twice");

      assertEquals(0, mailbox.receive(1, LONG, Duration.ZERO).size());

      assertEquals(id, receive(letters).id());
    }
  }

  @Test
  void aUrlIsThatOfTheQueue() {
    SqsMailbox.Builder<String, String> builder =
        SqsMailbox.builder("orders", Codecs.utf8(), Codecs.utf8());
    URI other = URI.create("https://sqs.eu-west-1.amazonaws.com/123/other");
    assertThrows(IllegalArgumentException.class, () -> builder.queueUrl(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "orders.fifo.fifo", ".fifo"})
  void aNameThatNoQueueHasIsRefused(String name) {
    assertThrows(
        IllegalArgumentException.class,
        () -> SqsMailbox.builder(name, Codecs.utf8(), Codecs.utf8()));
  }

  @Test
  void groupsAndKeysOfAnyTextStayApart() {
    assertEquals("order-17", FifoId.of("order-17"));
    assertEquals("~".repeat(128), FifoId.of("~".repeat(128)));
    String hashed = FifoId.of("order 17");
    assertEquals(71, hashed.length());
    assertNotEquals(hashed, FifoId.of("order 18"));
    assertNotEquals(hashed, FifoId.of(hashed));
    assertEquals(71, FifoId.of("x".repeat(129)).length());
    assertEquals(71, FifoId.of("grün").length());
  }

  /** A message as the network sees it. */
  private JsonNode sent(Outgoing<String, ? super String> message) {
    try (SqsMailbox<String, String> mailbox = open(queue, url)) {
      mailbox.send(message);
    }
    return network.requests("SendMessageBatch").stream()
        .filter(request -> request.path("QueueUrl").asText().equals(url))
        .findFirst()
        .orElseThrow()
        .path("Entries")
        .get(0);
  }

  private static SqsMailbox<String, String> open(String queue, String url) {
    return SqsMailbox.builder(queue, Codecs.utf8(), Codecs.utf8())
        .client(client -> ElasticMq.at(network.uri(), client))
        .queueUrl(URI.create(url))
        .build();
  }

  private static Message<String, String> receive(SqsMailbox<String, String> mailbox) {
    return mailbox.receive(1, LONG, PATIENCE).get(0);
  }
}
