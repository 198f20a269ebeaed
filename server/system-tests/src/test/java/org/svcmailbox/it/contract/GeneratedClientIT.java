package org.svcmailbox.it.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.openapi.client.ApiClient;
import org.svcmailbox.openapi.client.ApiException;
import org.svcmailbox.openapi.client.ApiResponse;
import org.svcmailbox.openapi.client.api.AuditApi;
import org.svcmailbox.openapi.client.api.CapabilitiesApi;
import org.svcmailbox.openapi.client.api.DeadLettersApi;
import org.svcmailbox.openapi.client.api.DeadLettersApi.APIListDeadLettersRequest;
import org.svcmailbox.openapi.client.api.DeliveryApi;
import org.svcmailbox.openapi.client.api.DeliveryApi.APIRecvRequest;
import org.svcmailbox.openapi.client.api.DeliveryApi.APISendRequest;
import org.svcmailbox.openapi.client.api.HealthApi;
import org.svcmailbox.openapi.client.api.TopicsApi;
import org.svcmailbox.openapi.client.api.TopicsApi.APIListTopicsRequest;
import org.svcmailbox.openapi.client.api.TopicsApi.APIPutTopicRequest;
import org.svcmailbox.openapi.client.model.AckBatchRequest;
import org.svcmailbox.openapi.client.model.AckRequest;
import org.svcmailbox.openapi.client.model.DeadLetterReason;
import org.svcmailbox.openapi.client.model.DryRunResponse;
import org.svcmailbox.openapi.client.model.FilterJson;
import org.svcmailbox.openapi.client.model.HealthReport;
import org.svcmailbox.openapi.client.model.JobResponse;
import org.svcmailbox.openapi.client.model.Letter;
import org.svcmailbox.openapi.client.model.Message;
import org.svcmailbox.openapi.client.model.MintRequest;
import org.svcmailbox.openapi.client.model.NackBatchRequest;
import org.svcmailbox.openapi.client.model.NackRequest;
import org.svcmailbox.openapi.client.model.Problem;
import org.svcmailbox.openapi.client.model.PutTopicRequest;
import org.svcmailbox.openapi.client.model.ReceiveRequest;
import org.svcmailbox.openapi.client.model.ResendRequest;
import org.svcmailbox.openapi.client.model.ScheduledPageMessagesInner;
import org.svcmailbox.openapi.client.model.SendBatchRequest;
import org.svcmailbox.openapi.client.model.SendMessageRequest;
import org.svcmailbox.openapi.client.model.SendResponse;
import org.svcmailbox.openapi.client.model.SendResult;
import org.svcmailbox.openapi.client.model.SettleResult;
import org.svcmailbox.openapi.client.model.StartJobRequest;
import org.svcmailbox.test.concurrent.Deadline;

/** The client that openapi-generator makes of the document works as generated. */
@ContractTest
@ResourceLock(SampleCalls.JOBS)
class GeneratedClientIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PAYLOAD =
      Base64.getEncoder().encodeToString("a payload".getBytes(StandardCharsets.UTF_8));

  private static final Map<String, String> ATTRS = Map.of("colour", "red");

  private final String topic = TestTopics.fresh("generated");
  private final CallTarget target;
  private final ApiClient operator;

  GeneratedClientIT(MailboxClient operator) {
    this.target = operator.target();
    this.operator = client(target.token().get());
  }

  private ApiClient client(@Nullable String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(target.server().toString());
    client.setRequestInterceptor(call -> call.header("Authorization", "Bearer " + token));
    return client;
  }

  @BeforeEach
  void makeTheTopic() throws ApiException {
    PutTopicRequest settings =
        new PutTopicRequest().readyShards(1).maxAttempts(1).retentionDlq("1h");
    new TopicsApi(operator)
        .putTopic(APIPutTopicRequest.newBuilder().topic(topic).putTopicRequest(settings).build());
  }

  private SendMessageRequest message(String key) {
    return new SendMessageRequest().topic(topic).idemKey(key).payload(PAYLOAD);
  }

  private SendResponse send(DeliveryApi delivery, String key) throws ApiException {
    return send(delivery, message(key));
  }

  private static SendResponse send(DeliveryApi delivery, SendMessageRequest message)
      throws ApiException {
    return delivery.send(APISendRequest.newBuilder().sendMessageRequest(message).build());
  }

  private List<Message> recv(DeliveryApi delivery, int most) throws ApiException {
    ReceiveRequest request = new ReceiveRequest().topic(topic).maxMessages(most).waitMs(5_000);
    return delivery.recv(APIRecvRequest.newBuilder().receiveRequest(request).build()).getMessages();
  }

  private static AckRequest ack(Message message) {
    return new AckRequest().msgId(message.getMsgId()).receipt(message.getReceipt());
  }

  @Test
  void aMintedCapabilityIsEnoughToSendReceiveAndAcknowledge() throws Exception {
    MintRequest narrow =
        new MintRequest().caveats(List.of("topic = " + topic, "ops = send,recv,ack"));
    DeliveryApi delivery =
        new DeliveryApi(
            client(
                new CapabilitiesApi(operator)
                    .mintCapability(narrow.expiresIn("10m"))
                    .getCapability()));
    SendResponse sent = send(delivery, "key");
    assertFalse(sent.getDuplicate());
    assertTrue(send(delivery, "key").getDuplicate());
    Message received = recv(delivery, 1).get(0);
    assertEquals(sent.getMsgId(), received.getMsgId());
    assertEquals(PAYLOAD, received.getPayload());
    assertEquals(1, received.getAttempt());
    assertTrue(delivery.ack(ack(received)).getOk());
    NackRequest late = new NackRequest().msgId(received.getMsgId());
    ApiException refusal = assertThrows(ApiException.class, () -> delivery.nack(late));
    assertEquals(403, refusal.getCode());
    Problem problem =
        operator.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
    assertEquals(Problem.CodeEnum.E_CAP_SCOPE, problem.getCode());
    assertEquals("operation", problem.getReason());
  }

  @Test
  void batchesSayWhatBecameOfEachElement() throws ApiException {
    DeliveryApi delivery = new DeliveryApi(operator);
    SendBatchRequest two = new SendBatchRequest().messages(List.of(message("a"), message("b")));
    List<SendResult> sent = delivery.sendBatch(two, null, null).getResults();
    Message received = recv(delivery, 1).get(0);
    assertEquals(sent.get(0).getMsgId(), received.getMsgId());
    String unknown = "00000000000000000000000000";
    List<AckRequest> acks = List.of(ack(received), new AckRequest().msgId(unknown));
    List<SettleResult> settled = delivery.ackBatch(new AckBatchRequest().acks(acks)).getResults();
    assertTrue(settled.get(0).getOk());
    assertEquals(Problem.CodeEnum.E_NOT_FOUND, requireNonNull(settled.get(1).getError()).getCode());
    NackRequest refused = new NackRequest().msgId(sent.get(1).getMsgId()).reason("never received");
    NackBatchRequest nacks = new NackBatchRequest().nacks(List.of(refused));
    SettleResult nacked = delivery.nackBatch(nacks).getResults().get(0);
    assertEquals(Problem.CodeEnum.E_NOT_FOUND, requireNonNull(nacked.getError()).getCode());
  }

  @Test
  void aScheduledMessageIsListedAndCancelled() throws ApiException {
    TopicsApi topics = new TopicsApi(operator);
    String msgId = send(new DeliveryApi(operator), message("later").delayMs(3_600_000L)).getMsgId();
    assertEquals(
        List.of(msgId),
        topics.listScheduled(topic, null, null).getMessages().stream()
            .map(ScheduledPageMessagesInner::getMsgId)
            .toList());
    assertTrue(topics.cancelScheduled(topic, msgId).getOk());
    assertEquals(List.of(), topics.listScheduled(topic, null, null).getMessages());
  }

  @Test
  void topicsAndCapabilitiesAreListed() throws ApiException {
    assertTrue(
        new TopicsApi(operator)
            .listTopics(APIListTopicsRequest.newBuilder().limit(1_000).build()).getTopics().stream()
                .anyMatch(one -> one.getName().equals(topic) && one.getSettings() != null));
    new CapabilitiesApi(operator).mintCapability(new MintRequest().expiresIn("1m"));
    assertFalse(
        new CapabilitiesApi(operator).listCapabilities(null, 1, null).getCapabilities().isEmpty());
  }

  @Test
  void aDeadLetterIsFoundReadAndBroughtBackByAJob() throws Exception {
    DeliveryApi delivery = new DeliveryApi(operator);
    DeadLettersApi letters = new DeadLettersApi(operator);
    String msgId = deadLetter(delivery);
    await(() -> !listed(letters).isEmpty(), "the letter");
    assertEquals(DeadLetterReason.MAX_ATTEMPTS, listed(letters).get(0).getReason());
    assertEquals(PAYLOAD, letters.readDeadLetter(topic, msgId).getPayload());

    StartJobRequest all =
        new StartJobRequest().action(StartJobRequest.ActionEnum.REPROCESS).filter(new FilterJson());
    assertEquals(1, letters.startJob(topic, all.dryRun(true)).getTotal());
    ApiResponse<DryRunResponse> started =
        letters.startJobWithHttpInfo(topic, all.dryRun(false).note("fixed"));
    assertEquals(202, started.getStatusCode());
    String jobId = lastSegment(requireNonNull(started.getHeaders().get("location")).get(0));
    await(() -> letters.getJob(jobId).getFinishedAt() != null, "the end of " + jobId);
    JobResponse job = letters.getJob(jobId);
    assertEquals(JobResponse.StateEnum.DONE, job.getState());
    assertEquals(1, job.getDone());
    Message back = recv(delivery, 1).get(0);
    assertEquals(msgId, back.getMsgId());
    assertTrue(delivery.ack(ack(back)).getOk());
  }

  private String deadLetter(DeliveryApi delivery) throws ApiException {
    String msgId = send(delivery, message("key").attrs(ATTRS)).getMsgId();
    Message received = recv(delivery, 1).get(0);
    delivery.nack(new NackRequest().msgId(msgId).receipt(received.getReceipt()).reason("broken"));
    return msgId;
  }

  /** A map or list that is left out must not be sent as an empty one. */
  @Test
  void aLetterThatIsResentKeepsItsAttributes() throws ApiException {
    DeliveryApi delivery = new DeliveryApi(operator);
    DeadLettersApi letters = new DeadLettersApi(operator);
    String msgId = deadLetter(delivery);
    await(() -> !listed(letters).isEmpty(), "the letter");
    letters.resendDeadLetter(topic, msgId, new ResendRequest().note("fixed"));
    Map<String, String> attrs = new HashMap<>(requireNonNull(recv(delivery, 1).get(0).getAttrs()));
    assertEquals(msgId, attrs.remove("mailbox.resent_from"));
    assertEquals(ATTRS, attrs);
  }

  private interface Condition {
    boolean holds() throws ApiException;
  }

  private static void await(Condition condition, String what) {
    Deadline.in(PATIENCE)
        .await(
            () -> {
              try {
                return condition.holds();
              } catch (ApiException e) {
                throw new IOException(e);
              }
            },
            () -> what);
  }

  private List<Letter> listed(DeadLettersApi letters) throws ApiException {
    return letters
        .listDeadLetters(APIListDeadLettersRequest.newBuilder().topic(topic).build())
        .getLetters();
  }

  private static String lastSegment(String location) {
    String path = URI.create(location).getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Test
  void theAuditIsReadWithItsNumbers() throws ApiException {
    new CapabilitiesApi(operator).mintCapability(new MintRequest().expiresIn("1m"));
    assertTrue(
        new AuditApi(operator).exportAudit(null, null, "capability.mint", null, null, 0L, 1).getNo()
            > 0);
  }

  @Test
  void whatIsOpenNeedsNoCapability() throws ApiException {
    ApiClient nobody = new ApiClient();
    nobody.updateBaseUri(target.server().toString());
    assertEquals(HealthReport.StatusEnum.UP, new HealthApi(nobody).healthz().getStatus());
    int status =
        assertThrows(ApiException.class, () -> new TopicsApi(nobody).getTopic(topic)).getCode();
    assertEquals(401, status);
  }
}
