package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.SerializationException;

/** Messages arrive that were sent singly, in batches, or without waiting. */
abstract class SendingCases extends ContractFixture {
  @Test
  void aMessageArrivesAsItWasSent() {
    Mailbox<String, String> mailbox = mailbox();
    String id = mailbox.send("two apples");

    Message<String, String> message = receive(mailbox);

    assertEquals(id, message.id());
    assertEquals("two apples", message.body());
    assertEquals(1, message.deliveryCount());
    assertEquals(Optional.empty(), message.replyTo());
    assertEquals(Optional.empty(), message.traceparent());
    assertEquals(Optional.empty(), message.tracestate());
    assertEquals(Optional.empty(), message.lastError());
    assertEquals(Map.of(), message.attributes());
    assertFalse(message.isFinalized());
    assertFalse(message.receiptHandle().isEmpty());
  }

  @Test
  void theBytesOfABodyAreThereAndCannotBeChanged() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send("two äpples");
    Message<String, String> message = receive(mailbox);
    byte[] expected = "two äpples".getBytes(StandardCharsets.UTF_8);

    message.rawBody()[0] = 0;

    assertArrayEquals(expected, message.rawBody());
    assertEquals("two äpples", message.body());
  }

  @Test
  void anyTextIsABody() {
    Mailbox<String, String> mailbox = mailbox();
    for (String body :
        List.of("", "\u0000\u0001\u001f\u007f\ufffe\uffff", "\ud83c\udf4e", "<&\"'>")) {
      mailbox.send(independent(body).build());
      Message<String, String> message = receive(mailbox);
      assertEquals(body, message.body());
      message.acknowledge();
    }
  }

  @Test
  void attributesAndIdsTravel() {
    Mailbox<String, String> mailbox = mailbox();
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("empty", "");
    attributes.put("Farbe", "grün \ud83c\udf4e");
    attributes.put("long", "x".repeat(Outgoing.MAX_VALUE));
    mailbox.send(
        Outgoing.builder("pears")
            .attributes(attributes)
            .correlationId("order-17")
            .traceparent(TRACEPARENT)
            .tracestate(TRACESTATE)
            .build());

    Message<String, String> message = receive(mailbox);

    assertEquals(attributes, message.attributes());
    assertEquals(Optional.of("order-17"), message.correlationId());
    assertEquals(Optional.of(TRACEPARENT), message.traceparent());
    assertEquals(Optional.of(TRACESTATE), message.tracestate());
    assertThrows(
        UnsupportedOperationException.class, () -> message.attributes().put("colour", "red"));
  }

  @Test
  void asManyAttributesAsPromisedTravel() {
    Mailbox<String, String> mailbox = mailbox();
    int most = mailbox.features().maxAttributes();

    mailbox.send(withAttributes(most));

    assertEquals(withAttributes(most).attributes(), receive(mailbox).attributes());
    refused(IllegalArgumentException.class, mailbox, () -> mailbox.send(withAttributes(most + 1)));
  }

  @Test
  void aBodyMayBeAsLargeAsPromised() {
    Mailbox<String, String> mailbox = mailbox();
    String largest = "x".repeat(mailbox.features().maxBodyBytes());

    mailbox.send(largest);

    assertEquals(largest, receive(mailbox).body());
    refused(SerializationException.class, mailbox, () -> mailbox.send(largest + "x"));
  }

  @Test
  void aBatchIsAnsweredInOrder() {
    Mailbox<String, String> mailbox = mailbox();
    int most = mailbox.features().maxBatch();
    List<Outgoing<String, Object>> batch = new ArrayList<>();
    IntStream.range(0, most).forEach(i -> batch.add(independent("apple " + i).build()));

    List<SendResult> results = mailbox.sendAll(batch);

    assertEquals(most, results.size());
    Map<String, String> received = new LinkedHashMap<>();
    receive(mailbox, most).forEach(message -> received.put(message.id(), message.body()));
    for (int i = 0; i < most; i++) {
      assertEquals("apple " + i, received.get(results.get(i).orThrow().id()));
    }
  }

  @Test
  void oneBadMessageOfABatchFailsAlone() {
    Mailbox<String, String> mailbox = mailbox();

    List<SendResult> results =
        mailbox.sendAll(
            List.of(
                independent("apple").build(),
                independent(ContractCodec.UNENCODABLE).build(),
                independent("pear").build()));

    assertInstanceOf(SendResult.Accepted.class, results.get(0));
    assertInstanceOf(SendResult.Accepted.class, results.get(2));
    assertThrows(SerializationException.class, results.get(1)::orThrow);
    assertEquals(Set.of("apple", "pear"), bodies(receive(mailbox, 2)));
    assertEquals(List.of(), mailbox.sendAll(List.of()));
  }

  @Test
  void aReceiveTakesNoMoreThanItAsksFor() {
    Mailbox<String, String> mailbox = mailbox();
    IntStream.range(0, 5).forEach(i -> mailbox.send(independent("apple " + i).build()));
    settleDown(mailbox, 5);

    assertTrue(mailbox.receive(3, LONG, Duration.ZERO).size() <= 3);
  }

  @Test
  void messagesSentWithoutWaitingArrive() throws Exception {
    Mailbox<String, String> mailbox = mailbox();
    List<CompletableFuture<Sent>> stages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      stages.add(mailbox.sendAsync(independent("apple " + i).build()).toCompletableFuture());
    }

    Set<String> ids = new TreeSet<>();
    for (CompletableFuture<Sent> stage : stages) {
      ids.add(stage.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).id());
    }

    assertEquals(50, ids.size());
    Set<String> received = new TreeSet<>();
    receive(mailbox, 50).forEach(message -> received.add(message.id()));
    assertEquals(ids, received);
  }

  @Test
  void aSendWithoutWaitingFailsThroughItsStage() {
    Mailbox<String, String> mailbox = mailbox();

    CompletableFuture<Sent> stage =
        mailbox.sendAsync(Outgoing.of(ContractCodec.UNENCODABLE)).toCompletableFuture();

    ExecutionException failure =
        assertThrows(
            ExecutionException.class, () -> stage.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertInstanceOf(SerializationException.class, failure.getCause());
  }

  @Test
  void anUndecodableBodyFailsOnlyItself() {
    Mailbox<String, String> mailbox = mailbox();
    mailbox.send(independent(ContractCodec.UNDECODABLE).build());
    mailbox.send(independent("apple").build());

    for (Message<String, String> message : receive(mailbox, 2)) {
      String sent = new String(message.rawBody(), StandardCharsets.UTF_8);
      if (sent.equals("apple")) {
        assertEquals("apple", message.body());
      } else {
        assertEquals(ContractCodec.UNDECODABLE, sent);
        assertThrows(SerializationException.class, message::body);
        assertThrows(SerializationException.class, message::body);
        assertFalse(message.isFinalized());
      }
      message.acknowledge();
    }
    assertNothing(mailbox);
  }

  @Test
  void anUnencodableBodyIsNotSent() {
    Mailbox<String, String> mailbox = mailbox();
    refused(SerializationException.class, mailbox, () -> mailbox.send(ContractCodec.UNENCODABLE));
  }

  @Test
  void aDelayedMessageIsHiddenAtFirst() {
    Mailbox<String, String> mailbox = mailbox();
    Duration longest = mailbox.features().maxDelay();
    Outgoing<String, Object> delayed =
        Outgoing.builder("apple").delay(shortly().multipliedBy(6)).build();
    if (longest.isZero()) {
      refused(UnsupportedOperationException.class, mailbox, () -> mailbox.send(delayed));
      return;
    }

    mailbox.send(delayed);

    passTime(shortly());
    assertNothing(mailbox);
    passTime(shortly().multipliedBy(5));
    assertEquals(1, receive(mailbox).deliveryCount());
    if (!longest.equals(BackendFeatures.UNBOUNDED)) {
      Outgoing<String, Object> tooLate =
          Outgoing.builder("apple").delay(longest.plusMillis(1)).build();
      refused(IllegalArgumentException.class, mailbox, () -> mailbox.send(tooLate));
    }
  }

  private static Outgoing<String, Object> withAttributes(int count) {
    Outgoing.Builder<String, Object> message = Outgoing.builder("apple");
    IntStream.range(0, count).forEach(i -> message.attribute("name" + i, "value" + i));
    return message.build();
  }
}
