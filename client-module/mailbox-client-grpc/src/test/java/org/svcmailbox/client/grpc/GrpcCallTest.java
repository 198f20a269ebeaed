package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.proto.v1.SendBatchResponse;
import org.svcmailbox.proto.v1.SendRequest;

class GrpcCallTest extends GrpcFixture {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private SendRequest request(int index) {
    return assertInstanceOf(SendRequest.class, door.requests.get(index));
  }

  @Test
  void aSendHasItsFieldsAndItsMetadata() {
    mailbox()
        .send(
            Outgoing.builder("apple")
                .key("k")
                .group("g")
                .delay(Duration.ofMillis(7))
                .attribute("a", "b")
                .correlationId("corr")
                .traceparent(TRACEPARENT)
                .build());
    SendRequest send = request(0);
    assertEquals(ScriptedDoor.TOPIC, send.getTopic());
    assertEquals("apple", send.getPayload().toStringUtf8());
    assertEquals("k", send.getIdemKey());
    assertEquals("g", send.getShardKey());
    assertEquals(7, send.getDelayMs());
    assertEquals("b", send.getAttrsOrThrow("a"));
    Metadata metadata = door.calls.get(0);
    assertEquals("Bearer token", metadata.get(key("authorization")));
    assertEquals(TRACEPARENT, metadata.get(key("traceparent")));
    assertEquals("corr", metadata.get(key("x-correlation-id")));
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE", "INTERNAL", "CANCELLED", "UNKNOWN"})
  void aLostAnswerIsRepeatedWithTheSameKey(Status.Code code) {
    AtomicInteger sends = new AtomicInteger();
    door.onSend =
        send -> {
          if (sends.getAndIncrement() < 2) {
            throw code.toStatus().asRuntimeException();
          }
          return ScriptedDoor.sent("id");
        };
    assertEquals("id", mailbox().send("apple"));
    assertEquals(3, door.requests.size());
    assertEquals(request(0), request(2));
  }

  @Test
  void aRefusalOfTheServiceIsNotRepeated() {
    door.onSend =
        send -> {
          throw ScriptedDoor.refusal("E_DUPLICATE", com.google.rpc.Code.ALREADY_EXISTS);
        };
    assertThrows(KeyConflictException.class, () -> mailbox().send("apple"));
    assertEquals(1, door.requests.size());
  }

  @Test
  void aSendGivesUpWhenItsTimeIsOver() {
    door.onSend =
        send -> {
          throw Status.UNAVAILABLE.asRuntimeException();
        };
    GrpcMailbox<String, String> mailbox =
        opened(builder(connections).sendTimeout(Duration.ofMillis(300)).random(() -> 1));
    MailboxConnectionException lost =
        assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
    assertEquals(Outcome.UNKNOWN, lost.outcome());
  }

  @Test
  void aServiceThatDoesNotAnswerIsGivenUp() {
    door.onSend =
        send -> {
          try {
            Thread.sleep(5_000);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return ScriptedDoor.sent("late");
        };
    GrpcMailbox<String, String> mailbox =
        opened(
            builder(connections)
                .callTimeout(Duration.ofMillis(200))
                .sendTimeout(Duration.ofMillis(300)));
    long begun = System.nanoTime();
    MailboxConnectionException lost =
        assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
    assertEquals(Outcome.UNKNOWN, lost.outcome());
    assertTrue(System.nanoTime() - begun < Duration.ofSeconds(4).toNanos());
  }

  @Test
  void aServiceThatIsNotThereWasNotCalled() {
    door.close();
    GrpcMailbox<String, String> mailbox =
        opened(builder(connections).sendTimeout(Duration.ofMillis(300)));
    MailboxConnectionException none =
        assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
    assertEquals(Outcome.NOT_DONE, none.outcome());
  }

  @Test
  void eachElementOfABatchHasItsResult() {
    door.onBatch =
        batch -> {
          SendBatchResponse.Builder response = SendBatchResponse.newBuilder();
          response.addOutcomesBuilder().setSent(ScriptedDoor.sent("one"));
          response
              .addOutcomesBuilder()
              .getRefusedBuilder()
              .setCode(Code.ALREADY_EXISTS_VALUE)
              .addDetails(Any.pack(ScriptedDoor.problem("E_DUPLICATE").build()));
          return response.build();
        };
    List<SendResult> results =
        mailbox().sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear")));
    assertEquals("one", results.get(0).orThrow().id());
    assertThrows(KeyConflictException.class, results.get(1)::orThrow);
  }

  @Test
  void aBatchThatIsMalformedIsSentOneByOne() {
    door.onBatch =
        batch -> {
          throw ScriptedDoor.refusal("E_SCHEMA", com.google.rpc.Code.INVALID_ARGUMENT);
        };
    List<SendResult> results =
        mailbox().sendAll(List.of(Outgoing.builder("a").key("1").build(), Outgoing.of("b")));
    assertEquals("id of 1", results.get(0).orThrow().id());
    assertEquals(3, door.requests.size());
  }

  @Test
  void aRefusedTokenIsReplacedOnce() {
    List<String> tokens = new ArrayList<>(List.of("old", "new", "newer"));
    door.onSend =
        send -> {
          if (door.calls.size() < 2) {
            throw ScriptedDoor.refusal("E_CAP_AUTH", com.google.rpc.Code.UNAUTHENTICATED);
          }
          return ScriptedDoor.sent("id");
        };
    GrpcMailbox<String, String> mailbox =
        opened(
            GrpcMailbox.builder(
                connections,
                TokenSource.supplier(() -> tokens.remove(0)),
                ScriptedDoor.TOPIC,
                Codecs.utf8(),
                Codecs.utf8()));
    assertEquals("id", mailbox.send("apple"));
    assertEquals("Bearer new", door.calls.get(1).get(key("authorization")));
    assertEquals(List.of("newer"), tokens);
  }

  @Test
  void whatGrpcHasNoCallForSaysSoByName() {
    GrpcMailbox<String, String> mailbox = mailbox();
    UnsupportedOperationException count =
        assertThrows(UnsupportedOperationException.class, mailbox::approximateCount);
    assertTrue(count.toString().contains("approximateCount"), count.toString());
    UnsupportedOperationException purge =
        assertThrows(UnsupportedOperationException.class, mailbox::purge);
    assertTrue(purge.toString().contains("administration"), purge.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "http://mailbox.example.com:9555, plain HTTP",
    "ftp://localhost, http or https",
    "http://localhost:9555/path, no path"
  })
  void anAddressThatIsNoDoorIsRefused(URI address, String why) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> GrpcConnections.builder(address).build());
    assertTrue(refused.toString().contains(why), refused.toString());
  }

  @Test
  void closedConnectionsTakeNoMailbox() {
    GrpcMailbox<String, String> mailbox = mailbox();
    connections.close();
    assertTrue(mailbox.isClosed());
    assertThrows(IllegalStateException.class, () -> builder(connections).build());
  }
}
