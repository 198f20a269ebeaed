package org.svcmailbox.client.sqs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedBody;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.test.concurrent.Deadline;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * SQS that loses answers, throttles, refuses, stalls or is away. Each test has queues and a proxy
 * of its own, so that they wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
class SqsFaultsTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String SEND = "SendMessageBatch";
  private static final String RECEIVE = "ReceiveMessage";
  private static final String DELETE = "DeleteMessageBatch";
  private static final String CHANGE = "ChangeMessageVisibility";
  private static final String RELEASE = "ChangeMessageVisibilityBatch";

  private static ElasticMq server;
  private static final AtomicInteger QUEUES = new AtomicInteger();

  private final List<SqsMailbox<String, String>> opened = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Faults faults;
  private String standard;
  private String fifo;

  @BeforeAll
  static void start() {
    server = new ElasticMq();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void create() throws IOException {
    faults = new Faults(server);
    standard = "orders-" + QUEUES.incrementAndGet();
    fifo = standard + ".fifo";
    server.create(standard);
    server.create(fifo);
  }

  @AfterEach
  void close() {
    opened.forEach(SqsMailbox::close);
    faults.close();
    threads.shutdownNow();
  }

  // Sends

  @Test
  void aSendToAStandardQueueIsNotRepeatedWhenItsAnswerIsLost() {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(SEND, faults.lost());

    assertUnknown(() -> mailbox.send("apple"));

    assertEquals(1, faults.requests(SEND).size());
    assertEquals("apple", receive(mailbox).body());
    assertNothing(mailbox);
  }

  @Test
  void aSendToAFifoQueueIsRepeatedAndOneMessage() {
    SqsMailbox<String, String> mailbox = open(fifo);
    faults.next(SEND, faults.lost()).next(SEND, Faults.error(503, "ServiceUnavailable", ""));

    String id = mailbox.send("apple");

    assertEquals(3, faults.requests(SEND).size());
    Message<String, String> message = receive(mailbox);
    assertEquals(id, message.id());
    message.acknowledge();
    assertNothing(mailbox);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RequestThrottled", "ThrottlingException", "OverLimit"})
  void aThrottledSendIsRepeatedForAWhile(String code) {
    SqsMailbox<String, String> mailbox = open(standard);
    Faults.Answerer throttled = Faults.error(400, code, "slow down");
    faults.next(SEND, throttled).next(SEND, throttled);
    mailbox.send("apple");
    faults.next(SEND, throttled).next(SEND, throttled).next(SEND, throttled);

    assertThrows(MailboxFullException.class, () -> mailbox.send("pear"));

    assertEquals(6, faults.requests(SEND).size());
    assertEquals("apple", receive(mailbox).body());
    assertNothing(mailbox);
  }

  @Test
  void aRefusalAfterALostAnswerIsUnknown() {
    SqsMailbox<String, String> mailbox = open(fifo);
    Faults.Answerer throttled = Faults.error(400, "RequestThrottled", "slow down");
    faults.next(SEND, faults.lost()).next(SEND, throttled).next(SEND, throttled);

    MailboxConnectionException failure = assertUnknown(() -> mailbox.send("apple"));

    assertInstanceOf(MailboxFullException.class, failure.getCause());
  }

  @Test
  void aRefusedElementAfterALostAnswerIsUnknown() {
    SqsMailbox<String, String> mailbox = open(fifo);
    faults
        .next(SEND, faults.lost())
        .next(
            SEND,
            (exchange, request) ->
                Faults.answer(
                        200,
                        "{\"Failed\":[{\"Id\":%s,\"SenderFault\":true,\"Code\":\"RequestThrottled\"}]}"
                            .formatted(request.json().at("/Entries/0/Id")))
                    .answer(exchange, request));

    MailboxConnectionException failure = assertUnknown(() -> mailbox.send("apple"));

    assertInstanceOf(MailboxFullException.class, failure.getCause());
  }

  @Test
  void noAttemptBeginsAfterTheCallTimeout() {
    Duration timeout = Duration.ofMillis(1);
    SqsMailbox<String, String> mailbox = keep(builder(fifo).callTimeout(timeout).build());
    faults.next(
        SEND,
        (exchange, request) -> {
          Deadline late = Deadline.in(timeout.multipliedBy(2));
          while (!late.isOver()) {
            Thread.onSpinWait();
          }
          exchange.close();
        });

    assertUnknown(() -> mailbox.send("apple"));

    assertEquals(1, faults.requests(SEND).size());
  }

  @Test
  void anInterruptedSendIsUnknown() throws Exception {
    SqsMailbox<String, String> mailbox = open(fifo);
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(SEND, faults.stalled(gate));
    CompletableFuture<Boolean> keptFlag = new CompletableFuture<>();
    Thread sender =
        new Thread(
            () -> {
              assertUnknown(() -> mailbox.send("apple"));
              keptFlag.complete(Thread.currentThread().isInterrupted());
            });
    sender.start();
    faults.awaitRequests(SEND, 1);

    sender.interrupt();
    gate.countDown();

    assertTrue(keptFlag.get(10, TimeUnit.SECONDS));
    assertEquals(1, faults.requests(SEND).size());
  }

  @ParameterizedTest
  @CsvSource({"500, InternalError", "503, ServiceUnavailable", "502, ''"})
  void aServerErrorIsUnknown(int status, String code) {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(
        SEND, code.isEmpty() ? Faults.answer(status, "") : Faults.error(status, code, "sorry"));
    assertUnknown(() -> mailbox.send("apple"));
    assertEquals(1, faults.requests(SEND).size());
  }

  @Test
  void theCallersRetriesAreOff() {
    SqsMailbox<String, String> mailbox =
        keep(
            SqsMailbox.builder(standard, Codecs.utf8(), Codecs.utf8())
                .client(
                    client -> {
                      ElasticMq.at(faults.uri(), client);
                      client.overrideConfiguration(
                          change -> change.retryStrategy(RetryMode.STANDARD));
                    })
                .build());
    faults.next(SEND, faults.lost());
    assertUnknown(() -> mailbox.send("apple"));
    assertEquals(1, faults.requests(SEND).size());
  }

  @Test
  void anAnswerThatCannotBeReadIsUnknown() {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(SEND, faults.changed(answer -> answer.substring(0, answer.length() / 2)));
    assertUnknown(() -> mailbox.send("apple"));
  }

  @Test
  void aStalledSendIsUnknown() {
    SqsMailbox<String, String> mailbox =
        keep(builder(standard).callTimeout(Duration.ofSeconds(1)).build());
    faults.next(SEND, faults.silent());
    assertUnknown(() -> mailbox.send("apple"));
    assertEquals("apple", receive(open(standard)).body());
  }

  @Test
  void eachMessageOfABatchHasItsResult() {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(
        SEND,
        (exchange, request) -> {
          JsonNode entries = request.json().path("Entries");
          String done = "{\"Id\":%s,\"MessageId\":\"first\",\"MD5OfMessageBody\":\"\"}";
          String failed = "{\"Id\":%s,\"SenderFault\":%b,\"Code\":\"%s\",\"Message\":\"%s\"}";
          Faults.answer(
                  200,
                  "{\"Successful\":["
                      + done.formatted(entries.get(0).path("Id"))
                      + "],\"Failed\":["
                      + failed.formatted(entries.get(1).path("Id"), false, "InternalError", "")
                      + ","
                      + failed.formatted(
                          entries.get(2).path("Id"), true, "InvalidMessageContents", "")
                      + ","
                      + failed.formatted(
                          entries.get(3).path("Id"),
                          true,
                          "InvalidParameterValue",
                          "Reason: Message must be shorter than 262144 bytes.")
                      + ","
                      + failed.formatted(entries.get(4).path("Id"), true, "RequestThrottled", "")
                      + "]}")
              .answer(exchange, request);
        });

    List<SendResult> results =
        mailbox.sendAll(IntStream.range(0, 6).mapToObj(i -> Outgoing.of("apple " + i)).toList());

    assertEquals("first", results.get(0).orThrow().id());
    assertUnknown(results.get(1)::orThrow);
    assertThrows(SerializationException.class, results.get(2)::orThrow);
    assertThrows(SerializationException.class, results.get(3)::orThrow);
    assertThrows(MailboxFullException.class, results.get(4)::orThrow);
    assertUnknown(results.get(5)::orThrow);
  }

  @Test
  void largeMessagesOfABatchAreSeveralRequests() {
    SqsMailbox<String, String> mailbox = open(standard);
    String large = "x".repeat(mailbox.features().maxBodyBytes() / 2);

    List<SendResult> results =
        mailbox.sendAll(
            List.of(Outgoing.of(large), Outgoing.of(large), Outgoing.of(large), Outgoing.of("y")));

    results.forEach(result -> assertDoesNotThrow(result::orThrow));
    assertEquals(
        List.of(2, 2),
        faults.requests(SEND).stream().map(request -> request.path("Entries").size()).toList());
  }

  // Sends without waiting

  @Test
  void aFullBufferRejectsAndDropsNothing() throws Exception {
    SqsMailbox<String, String> mailbox = keep(builder(fifo).buffer(3, 1 << 20).build());
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(SEND, faults.stalled(gate));
    List<CompletableFuture<Sent>> taken =
        Stream.of("a", "b", "c").map(body -> sendAsync(mailbox, body)).toList();

    assertFails(MailboxFullException.class, sendAsync(mailbox, "one too many"));

    gate.countDown();
    for (CompletableFuture<Sent> stage : taken) {
      stage.get(10, TimeUnit.SECONDS);
    }
    sendAsync(mailbox, "fits").get(10, TimeUnit.SECONDS);
    assertEquals(4, mailbox.approximateCount());
  }

  @Test
  void aBufferIsFullOfBytes() throws Exception {
    SqsMailbox<String, String> mailbox = keep(builder(fifo).buffer(100, 1 << 20).build());
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(SEND, faults.stalled(gate));
    String quarter = "x".repeat(1 << 18);
    List<CompletableFuture<Sent>> taken =
        Stream.generate(() -> sendAsync(mailbox, quarter)).limit(4).toList();

    assertFails(MailboxFullException.class, sendAsync(mailbox, "y"));

    gate.countDown();
    for (CompletableFuture<Sent> stage : taken) {
      stage.get(10, TimeUnit.SECONDS);
    }
    sendAsync(mailbox, "fits").get(10, TimeUnit.SECONDS);
  }

  @Test
  void messagesGatherWhileARequestIsOutAndKeepTheirOrder() throws Exception {
    SqsMailbox<String, String> mailbox = open(fifo);
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(SEND, faults.stalled(gate));
    CompletableFuture<Sent> first = sendAsync(mailbox, "0");
    faults.awaitRequests(SEND, 1);
    List<CompletableFuture<Sent>> stages =
        IntStream.range(1, 16).mapToObj(i -> sendAsync(mailbox, Integer.toString(i))).toList();

    gate.countDown();

    first.get(10, TimeUnit.SECONDS);
    for (CompletableFuture<Sent> stage : stages) {
      stage.get(10, TimeUnit.SECONDS);
    }
    List<JsonNode> requests = faults.requests(SEND);
    assertEquals(
        List.of(1, 10, 5),
        requests.stream().map(request -> request.path("Entries").size()).toList());
    assertEquals(
        IntStream.range(0, 16).mapToObj(Integer::toString).toList(),
        requests.stream()
            .flatMap(request -> request.path("Entries").findValuesAsText("MessageBody").stream())
            .toList());
  }

  @Test
  void messagesGatherWhileEightRequestsAreOut() throws Exception {
    SqsMailbox<String, String> mailbox = open(standard);
    CountDownLatch gate = new CountDownLatch(1);
    List<CompletableFuture<Sent>> stages = new ArrayList<>();
    for (int i = 1; i <= SqsDriver.REQUESTS; i++) {
      faults.next(SEND, faults.stalled(gate));
      stages.add(sendAsync(mailbox, "alone"));
      faults.awaitRequests(SEND, i);
    }
    Stream.generate(() -> sendAsync(mailbox, "gathered")).limit(20).forEach(stages::add);

    gate.countDown();

    for (CompletableFuture<Sent> stage : stages) {
      stage.get(10, TimeUnit.SECONDS);
    }
    assertEquals(
        List.of(1, 1, 1, 1, 1, 1, 1, 1, 10, 10),
        faults.requests(SEND).stream().map(request -> request.path("Entries").size()).toList());
  }

  @Test
  void aMessageLingersUntilABatchIsFullOrTheMailboxCloses() throws Exception {
    SqsMailbox<String, String> mailbox =
        keep(builder(standard).linger(Duration.ofMinutes(1)).build());
    List<CompletableFuture<Sent>> full =
        Stream.generate(() -> sendAsync(mailbox, "apple")).limit(10).toList();
    for (CompletableFuture<Sent> stage : full) {
      stage.get(10, TimeUnit.SECONDS);
    }
    CompletableFuture<Sent> last = sendAsync(mailbox, "pear");
    Deadline.in(PATIENCE).await(this::somethingLingers, () -> "the message waits for others");

    mailbox.close();

    last.get(0, TimeUnit.SECONDS);
    assertEquals(
        List.of(10, 1),
        faults.requests(SEND).stream().map(request -> request.path("Entries").size()).toList());
  }

  private boolean somethingLingers() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals("mailbox-" + standard))
        .filter(thread -> thread.getKey().getState() == Thread.State.TIMED_WAITING)
        .flatMap(thread -> Stream.of(thread.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("linger"));
  }

  @Test
  void closingFailsWhatIsNotAnsweredInTime() throws Exception {
    SqsMailbox<String, String> mailbox =
        keep(
            builder(fifo).flush(Duration.ofMillis(100)).callTimeout(Duration.ofSeconds(5)).build());
    faults.next(SEND, faults.silent());
    CompletableFuture<Sent> sent = sendAsync(mailbox, "apple");
    faults.awaitRequests(SEND, 1);
    CompletableFuture<Sent> waiting = sendAsync(mailbox, "pear");

    mailbox.close();

    assertEquals(Outcome.UNKNOWN, assertFails(MailboxConnectionException.class, sent).outcome());
    assertFails(MailboxClosedException.class, waiting);
  }

  @Test
  void closingFailsAnAcknowledgementThatIsNotAnsweredInTime() throws Exception {
    SqsMailbox<String, String> mailbox =
        keep(builder(standard).flush(Duration.ofMillis(100)).build());
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);
    faults.next(DELETE, faults.silent());
    CompletableFuture<MailboxConnectionException> acknowledged =
        CompletableFuture.supplyAsync(() -> assertUnknown(message::acknowledge), threads);
    faults.awaitRequests(DELETE, 1);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(mailbox::close, threads);

    MailboxConnectionException failure = acknowledged.get(10, TimeUnit.SECONDS);
    assertTrue(failure.toString().contains("closed before the answer"), failure::toString);
    faults.close();
    closed.get(10, TimeUnit.SECONDS);
  }

  // Receives

  @Test
  void aReceiveIsNotRepeated() {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(RECEIVE, faults.lost()).next(RECEIVE, Faults.error(500, "InternalError", ""));
    assertUnknown(() -> mailbox.receive(1, LONG, Duration.ZERO));
    assertUnknown(() -> mailbox.receive(1, LONG, Duration.ZERO));
    faults.next(RECEIVE, Faults.error(400, "OverLimit", "too many in flight"));
    assertThrows(MailboxFullException.class, () -> mailbox.receive(1, LONG, Duration.ZERO));
    assertEquals(3, faults.requests(RECEIVE).size());
  }

  @Test
  void aLongWaitIsSeveralPollsOfWholeSeconds() {
    SqsMailbox<String, String> mailbox = open(standard);

    mailbox.receive(3, Duration.ofMillis(1_200), Duration.ofMillis(2_400));

    List<JsonNode> polls = faults.requests(RECEIVE);
    assertEquals(
        List.of(1, 1), polls.stream().map(poll -> poll.path("WaitTimeSeconds").asInt()).toList());
    assertEquals(2, polls.get(0).path("VisibilityTimeout").asInt());
    assertEquals(3, polls.get(0).path("MaxNumberOfMessages").asInt());
  }

  @Test
  void closingReleasesWhatARunningPollTakes() throws Exception {
    // Sends get no time here; a poll has its own.
    SqsMailbox<String, String> closing = keep(builder(standard).flush(Duration.ZERO).build());
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(RECEIVE, faults.stalled(gate));
    open(standard).send("apple");
    CompletableFuture<List<Message<String, String>>> received =
        CompletableFuture.supplyAsync(() -> closing.receive(1, LONG, PATIENCE), threads);
    faults.awaitRequests(RECEIVE, 1);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(closing::close, threads);
    awaitClosed(closing);

    gate.countDown();

    closed.get(10, TimeUnit.SECONDS);
    assertEquals(List.of(), received.get(10, TimeUnit.SECONDS));
    assertEquals(1, faults.requests(RELEASE).size());
    assertEquals(2, receive(open(standard)).deliveryCount());
  }

  @Test
  void anInterruptedReceiveReleasesWhatItsPollTakes() throws Exception {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(RECEIVE, faults.stalled(gate)).next(RELEASE, Faults.cut());
    CompletableFuture<Boolean> keptFlag = new CompletableFuture<>();
    List<Message<String, String>> received = new ArrayList<>();
    Thread receiver =
        new Thread(
            () -> {
              received.addAll(mailbox.receive(1, LONG, PATIENCE));
              keptFlag.complete(Thread.currentThread().isInterrupted());
            });
    receiver.start();
    faults.awaitRequests(RECEIVE, 1);

    receiver.interrupt();
    gate.countDown();

    assertTrue(keptFlag.get(10, TimeUnit.SECONDS));
    assertEquals(List.of(), received);
    assertEquals(2, receive(mailbox).deliveryCount());
  }

  @Test
  void anInterruptHidesTheFailureOfAPoll() throws Exception {
    SqsMailbox<String, String> mailbox = open(standard);
    CountDownLatch gate = new CountDownLatch(1);
    faults.next(
        RECEIVE,
        (exchange, request) -> {
          gate.await();
          exchange.close();
        });
    CompletableFuture<List<Message<String, String>>> received = new CompletableFuture<>();
    Thread receiver = new Thread(() -> received.complete(mailbox.receive(1, LONG, PATIENCE)));
    receiver.start();
    faults.awaitRequests(RECEIVE, 1);

    receiver.interrupt();
    gate.countDown();

    assertEquals(List.of(), received.get(10, TimeUnit.SECONDS));
  }

  // Settling

  @Test
  void anAcknowledgementIsRepeatedWhenItsAnswerIsLost() {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);
    faults
        .next(DELETE, faults.lost())
        .next(
            DELETE,
            (exchange, request) ->
                Faults.answer(
                        200,
                        "{\"Successful\":[{\"Id\":%s}]}"
                            .formatted(request.json().at("/Entries/0/Id")))
                    .answer(exchange, request));

    message.acknowledge();

    assertTrue(message.isFinalized());
    assertEquals(2, faults.requests(DELETE).size());
    assertEquals(0, mailbox.approximateCount());
  }

  @Test
  void aRepeatedAcknowledgementMayHaveLostItsLease() {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox, Duration.ofSeconds(1));
    faults
        .next(DELETE, Faults.cut())
        .next(
            DELETE,
            (exchange, request) -> {
              server.passTime(Duration.ofSeconds(1));
              receive(mailbox);
              faults.asEver().answer(exchange, request);
            });

    assertThrows(ReceiptHandleExpiredException.class, message::acknowledge);

    assertFalse(message.isFinalized());
  }

  @Test
  void aRepeatedNackThatFindsNoLeaseSucceeds() {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);
    faults
        .next(CHANGE, faults.lost())
        .next(CHANGE, Faults.error(400, "MessageNotInflight", "not in flight"));

    message.nack(Duration.ZERO, "again");

    assertTrue(message.isFinalized());
    assertEquals(2, receive(mailbox).deliveryCount());
  }

  @ParameterizedTest
  @CsvSource({
    "ReceiptHandleIsInvalid, The receipt handle is not valid., GONE",
    "ReceiptHandleIsInvalid, The receipt handle has expired, EXPIRED",
    "MessageNotInflight, The message is not in flight., EXPIRED",
    "InvalidIdFormat, The id has no format., GONE",
    "InvalidParameterValue, Value x for parameter ReceiptHandle is invalid. Reason: The receipt"
        + " handle has expired., EXPIRED",
    "InvalidParameterValue, Value x for parameter ReceiptHandle is invalid. Reason: Message does"
        + " not exist or is not available for visibility timeout change., GONE"
  })
  void aLostLeaseIsToldAsSuch(String code, String text, Why why) {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);
    faults.next(CHANGE, faults.lost()).next(CHANGE, Faults.error(400, code, text));

    ReceiptHandleExpiredException failure =
        assertThrows(ReceiptHandleExpiredException.class, () -> message.extendVisibility(LONG));

    assertEquals(why, failure.why());
    assertFalse(message.isFinalized());
  }

  @Test
  void noExtensionGoesBeyondTwelveHoursFromTheReceive() {
    SqsMailbox<String, String> mailbox = open(standard);
    Duration longest = mailbox.features().maxVisibility();
    mailbox.send("apple");
    Message<String, String> message = mailbox.receive(1, longest, Duration.ZERO).get(0);

    message.extendVisibility(longest);
    message.extendVisibility(LONG);

    int asked = faults.requests(CHANGE).get(0).path("VisibilityTimeout").asInt();
    assertTrue(
        asked < longest.toSeconds() && asked > longest.toSeconds() - 60, () -> "asked " + asked);
    assertEquals(300, faults.requests(CHANGE).get(1).path("VisibilityTimeout").asInt());
  }

  @Test
  void aLeaseThatEndedTwelveHoursAfterTheReceiveIsNotExtended() {
    String url = server.create(standard);
    SqsClientBuilder client = SqsClient.builder();
    ElasticMq.at(faults.uri(), client);
    client.httpClientBuilder(UrlConnectionHttpClient.builder());
    SqsDriver driver =
        new SqsDriver(
            new Queue(standard, url, false, BackendFeatures.SQS_STANDARD),
            client.build(),
            builder(standard));
    try {
      long since =
          System.nanoTime() - BackendFeatures.SQS_STANDARD.maxVisibility().plusSeconds(1).toNanos();
      EncodedMessage message =
          new EncodedMessage(
              EncodedBody.of(new byte[0]),
              null,
              null,
              null,
              Duration.ZERO,
              Map.of(),
              null,
              null,
              null);
      DriverDelivery delivery =
          new DriverDelivery(
              "id", new SqsReceipt(since, "x").handle(), 1, Instant.EPOCH, message, null);

      ReceiptHandleExpiredException failure =
          assertThrows(ReceiptHandleExpiredException.class, () -> driver.extend(delivery, LONG));

      assertEquals(Why.EXPIRED, failure.why());
      assertEquals(List.of(), faults.requests(CHANGE));
    } finally {
      driver.close();
    }
  }

  @Test
  void aSettlementThatCannotBeMadeLeavesTheMessageHeld() {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("apple");
    Message<String, String> message = receive(mailbox);
    for (int i = 0; i < SqsRepeater.MAX_ATTEMPTS; i++) {
      faults.next(DELETE, Faults.cut()).next(CHANGE, Faults.cut());
    }

    assertUnknown(message::acknowledge);
    assertUnknown(() -> message.nack(Duration.ZERO));

    assertFalse(message.isFinalized());
    message.acknowledge();
    assertEquals(0, mailbox.approximateCount());
  }

  // Purging and counting

  @Test
  void aSecondPurgeWithinAMinuteIsRefused() {
    SqsMailbox<String, String> mailbox = open(standard);
    Faults.Answerer inProgress = Faults.error(400, "PurgeQueueInProgress", "only one a minute");
    faults.next("PurgeQueue", inProgress);
    assertEquals(
        Optional.of(Duration.ofSeconds(60)),
        assertThrows(MailboxFullException.class, mailbox::purge).retryAfter());

    mailbox.send("apple");
    faults.next("PurgeQueue", faults.lost()).next("PurgeQueue", inProgress);
    mailbox.purge();
    assertEquals(0, mailbox.approximateCount());
  }

  @Test
  void heldAndDelayedMessagesAreCounted() {
    SqsMailbox<String, String> mailbox = open(standard);
    mailbox.send("held");
    receive(mailbox);
    mailbox.send("ready");
    mailbox.send(Outgoing.builder("delayed").delay(Duration.ofMillis(59_001)).build());

    assertEquals(3, mailbox.approximateCount());

    JsonNode delayed = faults.requests(SEND).get(2).path("Entries").get(0);
    assertEquals(60, delayed.path("DelaySeconds").asInt());
  }

  // Refusals

  @Test
  void aServiceThatIsAwayHasDoneNothing() throws Exception {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> mailbox.send("apple"),
            () -> mailbox.receive(1, LONG, Duration.ZERO),
            mailbox::approximateCount,
            () -> open(standard))) {
      assertEquals(
          Outcome.NOT_DONE, assertThrows(MailboxConnectionException.class, call::run).outcome());
    }
  }

  @Test
  void aHostThatIsNotThereHasDoneNothing() {
    SqsMailbox.Builder<String, String> builder =
        SqsMailbox.builder(standard, Codecs.utf8(), Codecs.utf8())
            .client(client -> ElasticMq.at(URI.create("http://nowhere.invalid"), client));
    assertEquals(
        Outcome.NOT_DONE, assertThrows(MailboxConnectionException.class, builder::build).outcome());
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied",
    "400, AccessDeniedException",
    "403, SignatureDoesNotMatch",
    "400, UnrecognizedClientException",
    "400, KmsAccessDenied",
    "403, SomethingNew"
  })
  void aRefusalShowsNoSecret(int status, String code) {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(SEND, Faults.error(status, code, "the canonical request is " + ElasticMq.SECRET));

    AccessDeniedException denied =
        assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));

    assertTrue(denied.toString().contains(code), denied::toString);
    assertFalse(denied.toString().contains(ElasticMq.SECRET), denied::toString);
    assertNull(denied.getCause());
  }

  @Test
  void missingCredentialsAreARefusal() {
    SqsMailbox.Builder<String, String> builder =
        SqsMailbox.builder(standard, Codecs.utf8(), Codecs.utf8())
            .client(
                client -> {
                  ElasticMq.at(faults.uri(), client);
                  client.credentialsProvider(
                      AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()));
                });
    assertThrows(AccessDeniedException.class, builder::build);
  }

  @Test
  void aQueueThatIsNotThereIsNotMade() {
    assertThrows(MailboxNotFoundException.class, () -> open("nobody"));
    SqsMailbox<String, String> mailbox = open(standard);
    server.admin().deleteQueue(request -> request.queueUrl(server.uri() + "/queue/" + standard));
    assertThrows(MailboxNotFoundException.class, () -> mailbox.send("apple"));
    assertThrows(MailboxNotFoundException.class, () -> mailbox.receive(1, LONG, Duration.ZERO));
    assertThrows(MailboxNotFoundException.class, mailbox::approximateCount);
  }

  @Test
  void anotherRefusalIsAWrongArgument() {
    SqsMailbox<String, String> mailbox = open(standard);
    faults.next(SEND, Faults.error(400, "InvalidAttributeName", "no such attribute"));
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> mailbox.send("apple"));
    assertTrue(failure.toString().contains("no such attribute"), failure::toString);
  }

  @Test
  void anAnswerOfSomethingElseHasDoneNothing() {
    SqsMailbox<String, String> mailbox = open(standard);
    for (int i = 0; i < SqsRepeater.MAX_ATTEMPTS; i++) {
      faults.next(SEND, Faults.answer(404, ""));
    }
    assertEquals(
        Outcome.NOT_DONE,
        assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple")).outcome());
  }

  private SqsMailbox.Builder<String, String> builder(String queue) {
    return SqsMailbox.builder(queue, Codecs.utf8(), Codecs.utf8())
        .client(client -> ElasticMq.at(faults.uri(), client))
        .longestPoll(Duration.ofSeconds(1));
  }

  private SqsMailbox<String, String> open(String queue) {
    return keep(builder(queue).build());
  }

  private SqsMailbox<String, String> keep(SqsMailbox<String, String> mailbox) {
    opened.add(mailbox);
    return mailbox;
  }

  private static Message<String, String> receive(SqsMailbox<String, String> mailbox) {
    return receive(mailbox, LONG);
  }

  private static Message<String, String> receive(
      SqsMailbox<String, String> mailbox, Duration visibility) {
    return mailbox.receive(1, visibility, PATIENCE).get(0);
  }

  private static void assertNothing(SqsMailbox<String, String> mailbox) {
    assertEquals(List.of(), mailbox.receive(1, LONG, Duration.ZERO));
  }

  private static CompletableFuture<Sent> sendAsync(
      SqsMailbox<String, String> mailbox, String body) {
    return mailbox.sendAsync(Outgoing.of(body)).toCompletableFuture();
  }

  private static <E extends RuntimeException> E assertFails(
      Class<E> type, CompletableFuture<Sent> stage) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> stage.get(10, TimeUnit.SECONDS));
    return assertInstanceOf(type, failure.getCause());
  }

  private static MailboxConnectionException assertUnknown(Runnable call) {
    MailboxConnectionException failure = assertThrows(MailboxConnectionException.class, call::run);
    assertEquals(Outcome.UNKNOWN, failure.outcome());
    return failure;
  }

  private static void awaitClosed(SqsMailbox<String, String> mailbox) {
    Deadline.in(PATIENCE).await(mailbox::isClosed, () -> "closing begins");
  }
}
