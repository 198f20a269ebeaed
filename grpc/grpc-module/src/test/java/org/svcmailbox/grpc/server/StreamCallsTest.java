package org.svcmailbox.grpc.server;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxStub;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendHead;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.test.concurrent.Deadline;

class StreamCallsTest {
  private static final String ID = FakeMailbox.ID.toString();
  private static final int CHUNK = 64 << 10;

  private final OpenDoor door = new OpenDoor(Numbers.STANDARD);

  @AfterEach
  void close() {
    door.close();
  }

  private MailboxStub stub() {
    return stub(door);
  }

  private static MailboxStub stub(OpenDoor door) {
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer token");
    return MailboxGrpc.newStub(door.channel())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  private static RecvCommand open() {
    return RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic("orders")).build();
  }

  private static RecvCommand ack(long id) {
    return RecvCommand.newBuilder()
        .setSettle(Settle.newBuilder().setId(id).addAcks(Ack.newBuilder().setMsgId(ID)))
        .build();
  }

  static LeasedMessage message(byte[] payload) {
    return new LeasedMessage(
        SampleMessages.message(
            new ShardId(new TopicName("orders"), 0),
            1,
            Instant.EPOCH,
            payload,
            Attributes.NONE,
            null),
        new Receipt("receipt-1"),
        Duration.ofSeconds(5));
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }

  @Test
  void aStreamDeliversAndSettlesAndSaysGoodbye() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    commands.onNext(open());
    FakeStreams.Opened stream = door.streams.next();
    assertEquals("stream-1", answers.next().getOpened().getStream());
    commands.onNext(
        RecvCommand.newBuilder()
            .setCredit(Credit.newBuilder().setMessages(-1).setBytes(7))
            .build());
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> stream.done.contains("credit 4294967295 7"), () -> stream.done.toString());
    stream.output.message(3, message(bytes(10)));
    var delivery = answers.next().getDelivery();
    assertEquals(3, delivery.getN());
    assertArrayEquals(bytes(10), delivery.getMessage().getPayload().toByteArray());
    commands.onNext(ack(8));
    var settled = answers.next().getSettled();
    assertEquals(8, settled.getId());
    assertTrue(settled.getOutcomes(0).hasDone());
    stream.output.heartbeat(2, Pause.WINDOW);
    assertEquals("window", answers.next().getHeartbeat().getPaused());
    commands.onCompleted();
    assertEquals("closed", answers.next().getGoodbye().getReason());
    assertEquals(Status.Code.OK, answers.end().getCode());
    assertEquals("close", stream.done.get(1));
  }

  @Test
  void aLargePayloadComesInChunks() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    commands.onNext(open());
    FakeStreams.Opened stream = door.streams.next();
    assertTrue(answers.next().hasOpened());
    byte[] payload = bytes(3 * CHUNK + 5);
    stream.output.message(1, message(payload));
    assertEquals(payload.length, answers.next().getDelivery().getChunkedSize());
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    for (int i = 0; i < 4; i++) {
      Chunk chunk = answers.next().getChunk();
      assertTrue(chunk.getData().size() <= CHUNK);
      assertEquals(i == 3, chunk.getLast());
      chunk.getData().writeTo(got);
    }
    assertArrayEquals(payload, got.toByteArray());
    commands.onCompleted();
    assertTrue(answers.next().hasGoodbye());
  }

  @Test
  void aClientSettlesAfterTheGoodbye() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    commands.onNext(open());
    FakeStreams.Opened stream = door.streams.next();
    assertTrue(answers.next().hasOpened());
    stream.output.end(StreamEnd.DRAIN, null);
    assertEquals("drain", answers.next().getGoodbye().getReason());
    commands.onNext(ack(1));
    assertEquals(1, answers.next().getSettled().getId());
    commands.onCompleted();
    assertEquals(Status.Code.OK, answers.end().getCode());
  }

  @Test
  void aHalfClosedStreamSettlesWhatIsOnItsWay() throws Exception {
    CompletableFuture<SettleOutcome> commit = new CompletableFuture<>();
    door.mailbox.onSettle = request -> commit;
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    commands.onNext(open());
    FakeStreams.Opened stream = door.streams.next();
    assertTrue(answers.next().hasOpened());
    commands.onNext(ack(1));
    commands.onCompleted();
    assertNotNull(door.mailbox.requests.poll(20, TimeUnit.SECONDS));
    assertEquals(List.of(), stream.done);
    commit.complete(SettleOutcome.DONE);
    assertEquals(1, answers.next().getSettled().getId());
    assertEquals("closed", answers.next().getGoodbye().getReason());
    assertEquals(Status.Code.OK, answers.end().getCode());
  }

  /** Its results would fill the memory. */
  @Test
  void aStreamWhoseClientReadsNothingIsReadNoFurther() throws Exception {
    int settles = 20_000;
    door.mailbox.onSettle = request -> CompletableFuture.completedStage(SettleOutcome.UNKNOWN);
    Answers<RecvCommand, RecvEvent> answers = new Answers<>(1);
    var commands = (ClientCallStreamObserver<RecvCommand>) stub().recvStream(answers);
    commands.onNext(open());
    assertTrue(answers.next().hasOpened());
    LongStream.rangeClosed(1, settles).forEach(id -> commands.onNext(ack(id)));
    commands.onCompleted();
    int read = 0;
    while (read != door.mailbox.requests.size()) {
      read = door.mailbox.requests.size();
      assertNull(answers.got.poll(500, TimeUnit.MILLISECONDS));
    }
    assertTrue(read > 0 && read < settles / 2, "" + read);
    commands.request(Integer.MAX_VALUE);
    assertEquals(Status.Code.OK, answers.end().getCode());
    assertEquals(settles, door.mailbox.requests.size());
    assertEquals(settles + 1, answers.got.size(), "and its Goodbye");
  }

  @Test
  void aCancelledStreamIsCut() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    commands.onNext(open());
    FakeStreams.Opened stream = door.streams.next();
    assertTrue(answers.next().hasOpened());
    commands.onError(Status.CANCELLED.asException());
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> stream.done.contains("cut"), () -> stream.done.toString());
  }

  @Test
  void aStreamLastsAsLongAsItsCallLessASecond() throws Exception {
    var unused = stub().withDeadlineAfter(1, TimeUnit.MINUTES).recvStream(new Answers<>());
    unused.onNext(open());
    Duration life = requireNonNull(door.streams.next().request.life());
    assertTrue(life.toSeconds() >= 40 && life.toSeconds() < 60, life.toString());
    var endless = stub().recvStream(new Answers<>());
    endless.onNext(open());
    assertNull(door.streams.next().request.life());
  }

  static Stream<Arguments> commandsWithoutSense() {
    RecvCommand credit =
        RecvCommand.newBuilder().setCredit(Credit.newBuilder().setMessages(1)).build();
    RecvCommand empty = RecvCommand.newBuilder().setSettle(Settle.newBuilder().setId(1)).build();
    RecvCommand window =
        RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic("orders").setWindow(0)).build();
    RecvCommand unknown =
        RecvCommand.newBuilder()
            .setOpen(Open.newBuilder().setTopic("orders").setOnCloseValue(9))
            .build();
    return Stream.of(
        Arguments.of("credit first", List.of(credit)),
        Arguments.of("settle first", List.of(ack(1))),
        Arguments.of("open twice", List.of(open(), open())),
        Arguments.of("nothing", List.of(RecvCommand.getDefaultInstance())),
        Arguments.of("empty settle", List.of(open(), empty)),
        Arguments.of("no window", List.of(window)),
        Arguments.of("unknown end", List.of(unknown)),
        Arguments.of("outstanding id", List.of(open(), ack(1), ack(1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("commandsWithoutSense")
  void commandsWithoutSenseEndTheCall(String name, List<RecvCommand> given) throws Exception {
    door.mailbox.onSettle = request -> new CompletableFuture<>();
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    given.forEach(commands::onNext);
    assertEquals(Status.Code.INVALID_ARGUMENT, answers.end().getCode(), name);
  }

  @Test
  void commandsBehindOneWithoutSenseDoNothing() throws Exception {
    Answers<RecvCommand, RecvEvent> answers = new Answers<>();
    var commands = stub().recvStream(answers);
    List.of(open(), open(), ack(1), ack(2)).forEach(commands::onNext);
    assertEquals(Status.Code.INVALID_ARGUMENT, answers.end().getCode());
    assertNull(door.mailbox.requests.poll(300, TimeUnit.MILLISECONDS));
  }

  private static SendRequest.Builder message(String key) {
    return SendRequest.newBuilder()
        .setTopic("orders")
        .setIdemKey(key)
        .setPayload(ByteString.copyFromUtf8("body"));
  }

  private static SendFrame frame(long id) {
    return SendFrame.newBuilder().setId(id).setMessage(message("k" + id)).build();
  }

  private static SendFrame head(long id, long size) {
    return SendFrame.newBuilder()
        .setId(id)
        .setHead(SendHead.newBuilder().setMessage(message("k" + id).clearPayload()).setSize(size))
        .build();
  }

  private static SendFrame chunk(long id, int size, boolean isLast) {
    return SendFrame.newBuilder()
        .setId(id)
        .setChunk(Chunk.newBuilder().setData(ByteString.copyFrom(bytes(size))).setLast(isLast))
        .build();
  }

  @Test
  void everyFrameIsAnsweredByItsIdBeforeTheCallEnds() throws Exception {
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    frames.onNext(frame(7));
    frames.onNext(
        SendFrame.newBuilder()
            .setId(8)
            .setBatch(
                SendBatchRequest.newBuilder().addMessages(message("a")).addMessages(message("b")))
            .build());
    frames.onNext(head(9, CHUNK + 3));
    frames.onNext(chunk(9, CHUNK, false));
    frames.onNext(frame(10));
    frames.onNext(chunk(9, 3, true));
    frames.onCompleted();
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SendResult result = answers.next();
      ids.add(result.getId());
      assertEquals(result.getId() == 8 ? 2 : 1, result.getOutcomesCount());
      result.getOutcomesList().forEach(outcome -> assertEquals(ID, outcome.getSent().getMsgId()));
    }
    assertEquals(List.of(7L, 8L, 9L, 10L), ids.stream().sorted().toList());
    assertEquals(Status.Code.OK, answers.end().getCode());
    assertEquals(
        CHUNK + 3,
        door.mailbox.requests.stream()
            .map(org.svcmailbox.core.delivery.SendRequest.class::cast)
            .mapToInt(request -> request.payload().size())
            .max()
            .orElse(0));
  }

  @Test
  void aRefusedMessageIsAnOutcomeAndTheNextIsSent() throws Exception {
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    frames.onNext(SendFrame.newBuilder().setId(1).setMessage(message("").clearIdemKey()).build());
    frames.onNext(frame(2));
    frames.onCompleted();
    SendResult refused = answers.next();
    assertEquals(1, refused.getId());
    assertEquals(
        Status.Code.INVALID_ARGUMENT.value(), refused.getOutcomes(0).getRefused().getCode());
    assertTrue(answers.next().getOutcomes(0).hasSent());
    assertEquals(Status.Code.OK, answers.end().getCode());
  }

  /** A refusal takes longer to write than a message that is sent. */
  @Test
  void resultsAreWrittenInTheOrderOfTheirOutcomes() throws Exception {
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    for (long id = 0; id < 400; id++) {
      frames.onNext(
          id % 3 == 0
              ? SendFrame.newBuilder().setId(id).setMessage(message("").clearIdemKey()).build()
              : frame(id));
    }
    frames.onCompleted();
    assertEquals(Status.Code.OK, answers.end().getCode());
    assertEquals(
        LongStream.range(0, 400).boxed().toList(),
        answers.got.stream().map(SendResult::getId).toList());
  }

  @Test
  void aStreamThatIsNotAnsweredIsReadNoFurther() throws Exception {
    CompletableFuture<SendOutcome> commit = new CompletableFuture<>();
    door.mailbox.onSend = request -> commit;
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    LongStream.rangeClosed(1, 600).forEach(id -> frames.onNext(frame(id)));
    frames.onCompleted();
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> door.mailbox.requests.size() >= 512, () -> "" + door.mailbox.requests.size());
    assertNull(answers.got.poll(300, TimeUnit.MILLISECONDS));
    assertEquals(512, door.mailbox.requests.size());
    commit.complete(new Accepted(FakeMailbox.ID, false));
    assertEquals(Status.Code.OK, answers.end().getCode());
    assertEquals(600, answers.got.size());
  }

  private static Numbers unread(long bytes) {
    Numbers usual = Numbers.STANDARD;
    return new Numbers(
        usual.connections(),
        usual.callsOfConnection(),
        usual.calls(),
        usual.window(),
        bytes,
        usual.answerBytes(),
        usual.metadata(),
        usual.threads(),
        usual.ping(),
        usual.pingTimeout(),
        usual.leastPing(),
        usual.age(),
        usual.grace());
  }

  /** Half-sent messages of all calls are bounded, and given free with their call. */
  @Test
  void chunksOfAllCallsHaveABound() throws Exception {
    try (OpenDoor small = new OpenDoor(unread(3L * CHUNK))) {
      Answers<SendFrame, SendResult> answers = new Answers<>();
      var frames = stub(small).sendStream(answers);
      frames.onNext(head(1, 4L * CHUNK));
      for (int i = 0; i < 3; i++) {
        frames.onNext(chunk(1, CHUNK, false));
      }
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, answers.end().getCode());
      small.awaitMetric(0, "bound_used{bound=grpc_bytes}");
      Answers<SendFrame, SendResult> next = new Answers<>();
      var others = stub(small).sendStream(next);
      others.onNext(head(1, CHUNK + 1L));
      others.onNext(chunk(1, CHUNK, false));
      others.onNext(chunk(1, 1, true));
      assertTrue(next.next().getOutcomes(0).hasSent());
      others.onNext(head(2, CHUNK + 1L));
      others.onNext(chunk(2, CHUNK, false));
      small.awaitMetric(CHUNK, "bound_used{bound=grpc_bytes}");
      others.onError(Status.CANCELLED.asException());
      small.awaitMetric(0, "bound_used{bound=grpc_bytes}");
    }
  }

  @Test
  void aStreamWhoseCallIsRefusedIsCut() throws Exception {
    try (OpenDoor small = new OpenDoor(unread(2_000))) {
      Answers<RecvCommand, RecvEvent> answers = new Answers<>();
      var commands = stub(small).recvStream(answers);
      commands.onNext(open());
      FakeStreams.Opened stream = small.streams.next();
      assertTrue(answers.next().hasOpened());
      Settle.Builder settle = Settle.newBuilder().setId(1);
      for (int i = 0; i < 100; i++) {
        settle.addAcks(Ack.newBuilder().setMsgId(ID));
      }
      commands.onNext(RecvCommand.newBuilder().setSettle(settle).build());
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, answers.end().getCode());
      Deadline.in(Duration.ofSeconds(20))
          .await(() -> stream.done.contains("cut"), () -> stream.done.toString());
    }
  }

  static Stream<Arguments> framesWithoutSense() {
    return Stream.of(
        Arguments.of("no part", List.of(SendFrame.newBuilder().setId(1).build())),
        Arguments.of("outstanding id", List.of(frame(1), frame(1))),
        Arguments.of("outstanding head", List.of(head(1, 10), frame(1))),
        Arguments.of("head of an outstanding id", List.of(frame(1), head(1, 10))),
        Arguments.of("chunk without head", List.of(chunk(1, 10, true))),
        Arguments.of("empty chunk", List.of(head(1, 10), chunk(1, 0, false))),
        Arguments.of("large chunk", List.of(head(1, 100_000), chunk(1, CHUNK + 1, false))),
        Arguments.of("too few bytes", List.of(head(1, 10), chunk(1, 9, true))),
        Arguments.of("too many bytes", List.of(head(1, 10), chunk(1, 11, true))),
        Arguments.of("no size", List.of(head(1, 0))),
        Arguments.of("too large", List.of(head(1, OpenDoor.MAX_FRAME + 1))),
        Arguments.of(
            "many heads",
            List.of(head(1, 10), head(2, 10), head(3, 10), head(4, 10), head(5, 10))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("framesWithoutSense")
  void framesWithoutSenseEndTheCall(String name, List<SendFrame> given) throws Exception {
    door.mailbox.onSend = request -> new CompletableFuture<>();
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    given.forEach(frames::onNext);
    assertEquals(Status.Code.INVALID_ARGUMENT, answers.end().getCode(), name);
  }

  @Test
  void anUnfinishedMessageIsRefusedAtTheEnd() throws Exception {
    Answers<SendFrame, SendResult> answers = new Answers<>();
    var frames = stub().sendStream(answers);
    frames.onNext(head(1, 10));
    frames.onNext(chunk(1, 5, false));
    frames.onCompleted();
    assertEquals(Status.Code.INVALID_ARGUMENT, answers.end().getCode());
    assertTrue(door.mailbox.requests.isEmpty());
  }
}
