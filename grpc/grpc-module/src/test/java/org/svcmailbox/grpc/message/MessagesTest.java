package org.svcmailbox.grpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendRequest;

class MessagesTest {
  private static final MailboxSettings SETTINGS =
      SettingsLoader.load(key -> Optional.empty(), Set.of(), 2);

  private static final String ID = "01KA0000000000000000000000";

  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static SendRequest.Builder send() {
    return SendRequest.newBuilder().setTopic("orders").setIdemKey("k");
  }

  private static RecvRequest.Builder recv() {
    return RecvRequest.newBuilder().setTopic("orders");
  }

  private static void check(Message request) {
    if (request instanceof SendRequest send) {
      SendMessages.checked(send, SETTINGS.request());
    } else if (request instanceof SendBatchRequest batch) {
      SendMessages.checked(batch, SETTINGS.request());
    } else if (request instanceof RecvRequest recv) {
      RecvMessages.checked(recv, SETTINGS);
    } else if (request instanceof AckBatch acks) {
      SettleMessages.checked(acks, SETTINGS);
    } else if (request instanceof NackBatch nacks) {
      SettleMessages.checked(nacks, SETTINGS);
    } else if (request instanceof ExtendBatch extensions) {
      SettleMessages.checked(extensions, SETTINGS);
    } else {
      throw new AssertionError(request.getClass());
    }
  }

  private static Arguments refused(Message.Builder request, String... fields) {
    return Arguments.of(request.build(), Set.of(fields));
  }

  private static Message.Builder nack(Consumer<Nack.Builder> change) {
    Nack.Builder nack = Nack.newBuilder().setMsgId(ID);
    change.accept(nack);
    return NackBatch.newBuilder().addNacks(nack);
  }

  static Stream<Arguments> refusedRequests() {
    return Stream.of(
        refused(SendRequest.newBuilder(), "topic", "idem_key"),
        refused(send().setTopic("a b"), "topic"),
        refused(send().setTopic("t".repeat(256)), "topic"),
        refused(send().setIdemKey("k".repeat(1_000)), "idem_key"),
        refused(send().putAttrs("", "v"), "attrs"),
        refused(send().putAttrs("a", "v".repeat(1_025)), "attrs.a"),
        refused(send().setCorrId("c".repeat(129)), "corr_id"),
        refused(send().setShardKey("s".repeat(1_000)), "shard_key"),
        refused(send().setDelayMs(-1), "delay_ms"),
        refused(send().setDelayMs(Duration.ofDays(7).toMillis() + 1), "delay_ms"),
        refused(send().setTtlMs(0), "ttl_ms"),
        refused(send().setTtlMs(Duration.ofDays(365).toMillis() + 1), "ttl_ms"),
        refused(send().setPayloadHash("b3:AA"), "payload_hash"),
        refused(send().setSig("s".repeat(10_000)), "sig"),
        refused(send().setTraceparent("x"), "traceparent"),
        refused(send().setTracestate("a=b"), "traceparent"),
        refused(send().setTraceparent(TRACE).setTracestate("="), "tracestate"),
        refused(SendBatchRequest.newBuilder(), "messages"),
        refused(
            SendBatchRequest.newBuilder().addMessages(send()).addMessages(send().setDelayMs(-1)),
            "messages[1].delay_ms"),
        refused(RecvRequest.newBuilder(), "topic"),
        refused(recv().setVisibilityMs(249), "visibility_ms"),
        refused(recv().setVisibilityMs(Duration.ofHours(12).toMillis() + 1), "visibility_ms"),
        refused(recv().setMaxMessages(0), "max_messages"),
        refused(recv().setMaxMessages(101), "max_messages"),
        refused(recv().setMaxBytes(0), "max_bytes"),
        refused(recv().setWaitMs(-1), "wait_ms"),
        refused(recv().setWaitMs(30_001), "wait_ms"),
        refused(recv().setShard(-1), "shard"),
        refused(AckBatch.newBuilder(), "acks"),
        refused(AckBatch.newBuilder().addAcks(Ack.newBuilder()), "acks[0].msg_id"),
        refused(
            AckBatch.newBuilder().addAcks(Ack.newBuilder().setMsgId(ID).setReceipt("?")),
            "acks[0].receipt"),
        refused(nack(nack -> nack.setMsgId("x")), "nacks[0].msg_id"),
        refused(nack(nack -> nack.setReceipt("?")), "nacks[0].receipt"),
        refused(nack(nack -> nack.setReason("r".repeat(100_000))), "nacks[0].reason"),
        refused(nack(nack -> nack.setDelayMs(-1)), "nacks[0].delay_ms"),
        refused(nack(nack -> nack.setDeadLetter(true)), "nacks[0].reason"),
        refused(
            nack(nack -> nack.setDeadLetter(true).setReason("r").setDelayMs(1)),
            "nacks[0].delay_ms"),
        refused(
            ExtendBatch.newBuilder().addExtends(Extend.newBuilder().setMsgId(ID)),
            "extends[0].visibility_ms"),
        refused(
            ExtendBatch.newBuilder()
                .addExtends(Extend.newBuilder().setMsgId(ID).setVisibilityMs(0)),
            "extends[0].visibility_ms"));
  }

  @ParameterizedTest
  @MethodSource("refusedRequests")
  void everyWrongFieldIsNamed(Message request, Set<String> fields) {
    SchemaException refused = assertThrows(SchemaException.class, () -> check(request));
    assertEquals(
        fields,
        Set.copyOf(refused.violations().stream().map(violation -> violation.field()).toList()));
  }

  static Stream<Message> requests() {
    return Stream.of(
        send().build(),
        SendBatchRequest.newBuilder().addMessages(send()).build(),
        recv().build(),
        AckBatch.newBuilder().addAcks(Ack.newBuilder().setMsgId(ID)).build(),
        nack(nack -> {}).build(),
        ExtendBatch.newBuilder()
            .addExtends(Extend.newBuilder().setMsgId(ID).setVisibilityMs(1_000))
            .build());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aFieldThatNobodyKnowsIsRefusedAtEveryDepth(Message request) {
    check(request);
    UnknownFieldSet more =
        UnknownFieldSet.newBuilder()
            .mergeField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    Message outside = request.toBuilder().setUnknownFields(more).build();
    assertRefused("999", outside);
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (field.isRepeated() && !field.isMapField()) {
        Message inner = (Message) request.getRepeatedField(field, 0);
        Message changed = inner.toBuilder().setUnknownFields(more).build();
        assertRefused(
            field.getName() + "[0].999",
            request.toBuilder().setRepeatedField(field, 0, changed).build());
      }
    }
  }

  private static void assertRefused(String field, Message request) {
    SchemaException refused = assertThrows(SchemaException.class, () -> check(request));
    assertEquals(field, refused.violations().get(0).field());
    assertTrue(refused.violations().get(0).message().startsWith("is no field of "));
  }

  @Test
  void everyFieldOfASendArrives() {
    String hash = "b3:" + "0".repeat(64);
    var sent =
        SendMessages.checked(
            send()
                .setPayload(ByteString.copyFromUtf8("body"))
                .putAttrs("a", "b")
                .setCorrId("c")
                .setShardKey("s")
                .setDelayMs(5)
                .setTtlMs(6)
                .setPayloadHash(hash)
                .setSig("sig")
                .setTraceparent(TRACE)
                .setTracestate("v=1")
                .build(),
            SETTINGS.request());
    assertEquals("orders", sent.topic().value());
    assertEquals(4, sent.payload().size());
    assertEquals("k", sent.idemKey().value());
    assertEquals("{a=b}", sent.attrs().values().toString());
    assertEquals("c", String.valueOf(sent.corrId()));
    assertEquals("s", String.valueOf(sent.shardKey() == null ? "" : sent.shardKey().value()));
    assertEquals(Duration.ofMillis(5), sent.delay());
    assertEquals(Duration.ofMillis(6), sent.ttl());
    assertEquals(hash, String.valueOf(sent.payloadHash()));
    assertEquals("sig", sent.sig() == null ? "" : sent.sig().value());
    assertEquals("v=1", sent.trace() == null ? "" : sent.trace().state());
  }

  @Test
  void anEmptyPayloadIsAMessage() {
    assertEquals(0, SendMessages.checked(send().build(), SETTINGS.request()).payload().size());
  }

  @Test
  void payloadsOfABatchHaveTheFrameTogether() {
    ByteString half = ByteString.copyFrom(new byte[SETTINGS.request().maxFrame() / 2]);
    SendBatchRequest.Builder batch =
        SendBatchRequest.newBuilder()
            .addMessages(send().setPayload(half))
            .addMessages(send().setPayload(half));
    assertEquals(2, SendMessages.checked(batch.build(), SETTINGS.request()).size());
    batch.addMessages(send().setPayload(ByteString.copyFrom(new byte[1])));
    assertThrows(FrameTooLargeException.class, () -> check(batch.build()));
  }

  @Test
  void everyFieldOfARecvArrives() {
    var asked =
        RecvMessages.checked(
            recv()
                .setVisibilityMs(1_000)
                .setMaxMessages(7)
                .setMaxBytes(8)
                .setWaitMs(9)
                .setShard(2)
                .build(),
            SETTINGS);
    assertEquals(Duration.ofSeconds(1), asked.visibility());
    assertEquals(7, asked.maxMessages());
    assertEquals(8, asked.maxBytes());
    assertEquals(Duration.ofMillis(9), asked.maxWait());
    assertEquals(2, asked.shard());
    var bare = RecvMessages.checked(recv().build(), SETTINGS);
    assertEquals(1, bare.maxMessages());
    assertNull(bare.visibility());
    assertNull(bare.shard());
  }

  @Test
  void everyFieldOfANackArrives() {
    List<SettleRequest> nacks =
        SettleMessages.checked(
            NackBatch.newBuilder()
                .addNacks(
                    Nack.newBuilder().setMsgId(ID).setReceipt("r").setReason("why").setDelayMs(3))
                .addNacks(Nack.newBuilder().setMsgId(ID).setReason("why").setDeadLetter(true))
                .build(),
            SETTINGS);
    SettleRequest.Nack nack = (SettleRequest.Nack) nacks.get(0);
    assertEquals(ID, nack.msgId().toString());
    assertEquals("r", String.valueOf(nack.receipt()));
    assertEquals("why", nack.reason());
    assertEquals(Duration.ofMillis(3), nack.delay());
    assertEquals("why", ((SettleRequest.Reject) nacks.get(1)).reason());
  }
}
