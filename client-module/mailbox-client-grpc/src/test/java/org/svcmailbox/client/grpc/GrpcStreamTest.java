package org.svcmailbox.client.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.grpc.ScriptedDoor.Stream;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Goodbye;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.SettleOutcome;

class GrpcStreamTest extends GrpcFixture {
  /** A receive waits, and its stream is open. */
  private Stream begun(String id) throws InterruptedException {
    Stream stream = door.nextStream();
    assertTrue(stream.next().hasOpen());
    stream.opened(id);
    return stream;
  }

  /** The same, and its credit is there. */
  private Stream begun(String id, int credit) throws InterruptedException {
    Stream stream = begun(id);
    assertEquals(credit, stream.credit());
    return stream;
  }

  /** The stream brings a message, which the receive gets alone. */
  private static Message<String, String> brought(
      Stream stream, int number, String body, CompletableFuture<List<Message<String, String>>> to)
      throws Exception {
    stream.deliver(number, body);
    Message<String, String> message = one(to);
    assertEquals(body, message.body());
    return message;
  }

  /** As {@link #brought}. */
  private static void bring(
      Stream stream, int number, String body, CompletableFuture<List<Message<String, String>>> to)
      throws Exception {
    Message<String, String> unused = brought(stream, number, body, to);
  }

  private static <X extends Throwable> X failure(Class<X> type, CompletableFuture<?> of) {
    return assertInstanceOf(
        type,
        assertThrows(ExecutionException.class, () -> of.get(20, TimeUnit.SECONDS)).getCause());
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ('a' + i % 26);
    }
    return bytes;
  }

  @Test
  void creditIsWhatReceivesAskForTogether() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var first = receive(mailbox, 2);
    Stream stream = begun("s", 2);
    var second = receive(mailbox, 3);
    assertEquals(3, stream.credit());

    bring(stream, 1, "apple", first);
    bring(stream, 2, "pear", second);

    var third = receive(mailbox, 4);
    assertEquals(1, stream.credit(), "three were granted and did not come");
    bring(stream, 3, "plum", third);
  }

  @Test
  void theStreamIsAskedForWithItsTerms() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var unused = receive(mailbox, 1);
    Open open = door.nextStream().next().getOpen();
    assertEquals(ScriptedDoor.TOPIC, open.getTopic());
    assertEquals(LEASE.toMillis(), open.getVisibilityMs());
    assertEquals(1_000, open.getWindow());
    assertEquals(8 << 20, open.getWindowBytes());
    assertEquals(false, open.hasResume());
  }

  @Test
  void settlementsGoOverTheStream() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s", 1);
    Message<String, String> message = brought(stream, 1, "apple", received);

    CompletableFuture<Void> extended = run(() -> message.extendVisibility(LEASE));
    RecvCommand extension = stream.next();
    assertEquals("rm1", extension.getSettle().getExtends(0).getReceipt());
    assertEquals(LEASE.toMillis(), extension.getSettle().getExtends(0).getVisibilityMs());
    stream.settled(extension);
    extended.get(20, TimeUnit.SECONDS);

    CompletableFuture<Void> acknowledged = run(message::acknowledge);
    RecvCommand ack = stream.next();
    assertEquals("m1", ack.getSettle().getAcks(0).getMsgId());
    assertTrue(ack.getSettle().getId() > extension.getSettle().getId());
    stream.settled(ack);
    acknowledged.get(20, TimeUnit.SECONDS);
    assertEquals(List.of(), door.requests);
  }

  @Test
  void aRefusedSettlementSaysWhy() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s", 1);
    Message<String, String> message = brought(stream, 1, "apple", received);

    CompletableFuture<Void> nacked = run(() -> message.nack(Duration.ofSeconds(3), "not now"));
    RecvCommand nack = stream.next();
    assertEquals("not now", nack.getSettle().getNacks(0).getReason());
    assertEquals(3_000, nack.getSettle().getNacks(0).getDelayMs());
    stream.settled(
        nack,
        SettleOutcome.newBuilder()
            .setRefused(
                com.google.rpc.Status.newBuilder()
                    .setCode(Code.FAILED_PRECONDITION_VALUE)
                    .addDetails(
                        Any.pack(
                            ScriptedDoor.problem("E_RECEIPT")
                                .setMsgId("m1")
                                .setWhy("superseded")
                                .build()))));
    ReceiptHandleExpiredException refused = failure(ReceiptHandleExpiredException.class, nacked);
    assertEquals(Why.SUPERSEDED, refused.why());
  }

  @Test
  void aSettlementWhoseStreamIsCutIsRepeatedByACall() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s", 1);
    Message<String, String> message = brought(stream, 1, "apple", received);

    CompletableFuture<Void> acknowledged = run(message::acknowledge);
    assertTrue(stream.next().hasSettle());
    stream.cut();
    acknowledged.get(20, TimeUnit.SECONDS);
    AckBatch ack = assertInstanceOf(AckBatch.class, door.requests.get(0));
    assertEquals("rm1", ack.getAcks(0).getReceipt());
  }

  @Test
  void aCutStreamIsResumedAfterWhatWasHandedOut() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var first = receive(mailbox, 1);
    Stream stream = begun("s1", 1);
    bring(stream, 1, "apple", first);
    var second = receive(mailbox, 1);
    assertEquals(1, stream.credit());

    stream.cut();

    Stream next = door.nextStream();
    Open open = next.next().getOpen();
    assertEquals("s1", open.getResume().getStream());
    assertEquals(1, open.getResume().getLast());
    next.opened("s2");
    assertEquals(1, next.credit());
    bring(next, 2, "pear", second);
  }

  @Test
  void anEndWithoutAGoodbyeIsACut() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var unused = receive(mailbox, 1);
    Stream stream = begun("s1", 1);

    stream.complete();

    assertEquals("s1", door.nextStream().next().getOpen().getResume().getStream());
  }

  @Test
  void aStreamThatTheServiceDoesNotResumeIsAnotherOne() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var unused = receive(mailbox, 1);
    Stream stream = begun("s1", 1);
    stream.cut();
    Stream second = door.nextStream();
    assertTrue(second.next().getOpen().hasResume());

    second.refuse("E_NOT_FOUND", Code.NOT_FOUND);

    assertEquals(false, door.nextStream().next().getOpen().hasResume());
  }

  @ParameterizedTest
  @CsvSource({"age, true", "deadline, true", "error, true", "drain, false"})
  void afterAGoodbyeAnotherStreamIsOpened(String reason, boolean resumes) throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s1", 1);

    stream.goodbye(Goodbye.newBuilder().setReason(reason));

    assertEquals("half-closed", stream.end());
    Stream next = door.nextStream();
    assertEquals(resumes, next.next().getOpen().hasResume());
    next.opened("s2");
    assertEquals(1, next.credit());
    bring(next, 1, "apple", received);
  }

  @Test
  void aCapabilityThatIsOverIsDenied() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s1");

    stream.goodbye(
        Goodbye.newBuilder()
            .setReason("capability")
            .setProblem(ScriptedDoor.problem("E_CAP_AUTH").setReason("revoked")));

    AccessDeniedException denied = failure(AccessDeniedException.class, received);
    assertTrue(denied.toString().contains("revoked"), denied.toString());
  }

  @Test
  void chunksArePutTogether() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s");
    byte[] body = bytes(150_000);
    stream.head(1, body, body.length);
    stream.chunk(body, 0, 65_536, false);
    stream.chunk(body, 65_536, 131_072, false);
    stream.chunk(body, 131_072, body.length, true);
    assertEquals(new String(body, UTF_8), one(received).body());
  }

  @Test
  void aChunkThatDoesNotFitFailsTheReceiveAndTheMessageComesAgain() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Stream stream = begun("s1");
    byte[] body = bytes(100);
    stream.head(1, body, 50);
    stream.chunk(body, 0, 100, true);

    MailboxConnectionException failure = failure(MailboxConnectionException.class, received);
    assertTrue(failure.toString().contains("cannot be read"), failure.toString());
    var again = receive(mailbox, 1);
    Stream next = door.nextStream();
    Open open = next.next().getOpen();
    assertEquals("s1", open.getResume().getStream());
    assertEquals(0, open.getResume().getLast());
    if (open.getWindow() == 0) {
      // The receive came late, and the message was given back before.
      next = begun("s2");
    } else {
      next.opened("s2");
    }
    bring(next, 1, "apple", again);
  }

  @Test
  void aBodyThatWasAlteredIsNotHandedToTheApplication() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var received = receive(mailbox, 1);
    Received right = ScriptedDoor.message("m1", "apple".getBytes(UTF_8));
    begun("s")
        .deliver(
            1,
            right.toBuilder()
                .setPayload(com.google.protobuf.ByteString.copyFromUtf8("apply"))
                .build());
    Message<String, String> message = one(received);
    IntegrityException altered = assertThrows(IntegrityException.class, message::body);
    assertTrue(altered.toString().contains("payload_hash"), altered.toString());
  }

  @Test
  void closingGivesBackWhatNobodyTook() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var first = receive(mailbox, 3);
    Stream stream = begun("s1", 3);
    bring(stream, 1, "apple", first);
    stream.deliver(2, "pear");

    CompletableFuture<Void> closed = run(mailbox::close);

    assertEquals("half-closed", stream.end());
    Stream last = door.nextStream();
    Open open = last.next().getOpen();
    assertEquals("s1", open.getResume().getStream());
    assertEquals(1, open.getResume().getLast());
    assertEquals(0, open.getWindow());
    assertEquals("cancelled", last.end());
    closed.get(20, TimeUnit.SECONDS);
  }

  @Test
  void whatComesUnaskedIsGivenBackAfterAWhile() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var first = receive(mailbox, 2);
    Stream stream = begun("s1", 2);
    bring(stream, 1, "apple", first);
    // One was granted and nobody asks; handlers would have half of the lease.
    assertEquals("half-closed", stream.endWithin(LEASE.dividedBy(4)));
    Open open = door.nextStream().next().getOpen();
    assertEquals(1, open.getResume().getLast());
    assertEquals(0, open.getWindow());
  }

  @Test
  void aStreamWithoutCreditStaysOpenWhileHandlersWork() throws Exception {
    GrpcMailbox<String, String> mailbox = mailbox();
    var first = receive(mailbox, 1);
    Stream stream = begun("s1", 1);
    bring(stream, 1, "apple", first);
    assertThrows(
        NullPointerException.class, () -> stream.endWithin(Duration.ofMillis(700)), "it ended");
    var second = receive(mailbox, 1);
    assertEquals(1, stream.credit());
    bring(stream, 2, "pear", second);
  }

  @Test
  void aServiceWithoutStreamsIsPolled() throws Exception {
    door.refusal = Status.UNIMPLEMENTED.asRuntimeException();
    door.onRecv = recv -> answered("apple");
    assertEquals("apple", one(receive(mailbox(), 1)).body());
    RecvRequest polled = assertInstanceOf(RecvRequest.class, door.requests.get(0));
    assertEquals(LEASE.toMillis(), polled.getVisibilityMs());
  }

  @Test
  void aServiceWithTooManyStreamsIsPolled() throws Exception {
    door.refusal =
        StatusProto.toStatusRuntimeException(
            com.google.rpc.Status.newBuilder()
                .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                .addDetails(
                    Any.pack(ScriptedDoor.problem("E_SATURATED").setReason("streams").build()))
                .build());
    door.onRecv = recv -> answered("apple");
    assertEquals("apple", one(receive(mailbox(), 1)).body());
  }

  private static org.svcmailbox.proto.v1.RecvResponse answered(String body) {
    return org.svcmailbox.proto.v1.RecvResponse.newBuilder()
        .addMessages(ScriptedDoor.message("m1", body.getBytes(UTF_8)))
        .build();
  }

  @Test
  void aReceiveWithoutAWaitIsACall() {
    door.onRecv = recv -> answered("apple");
    List<Message<String, String>> received = mailbox().receive(1, LEASE, Duration.ZERO);
    assertEquals("apple", received.get(0).body());
    assertTrue(door.hasNoStream());
  }

  @Test
  void aMailboxThatPollsOpensNoStream() throws Exception {
    door.onRecv = recv -> answered("apple");
    GrpcMailbox<String, String> mailbox = opened(builder(connections).polling());
    assertEquals("apple", one(receive(mailbox, 1)).body());
    assertTrue(door.hasNoStream());
    one(receive(mailbox, 1)).acknowledge();
    assertInstanceOf(AckBatch.class, door.requests.get(2));
  }

  @Test
  void aRefusedTokenIsReplacedForTheNextStream() throws Exception {
    List<String> tokens = new ArrayList<>(List.of("old", "new"));
    GrpcMailbox<String, String> mailbox =
        opened(
            GrpcMailbox.builder(
                connections,
                org.svcmailbox.client.http.TokenSource.supplier(() -> tokens.remove(0)),
                ScriptedDoor.TOPIC,
                org.svcmailbox.client.codec.Codecs.utf8(),
                org.svcmailbox.client.codec.Codecs.utf8()));
    var received = receive(mailbox, 1);
    Stream refused = door.nextStream();
    assertTrue(refused.next().hasOpen());
    refused.refuse("E_CAP_AUTH", Code.UNAUTHENTICATED);
    Stream stream = begun("s");
    bring(stream, 1, "apple", received);
    io.grpc.Metadata.Key<String> key =
        io.grpc.Metadata.Key.of("authorization", io.grpc.Metadata.ASCII_STRING_MARSHALLER);
    assertEquals("Bearer old", door.calls.get(0).get(key));
    assertEquals("Bearer new", door.calls.get(1).get(key));
  }
}
