package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;

/** Payloads are verified on arrival and before delivery. */
class IntegrityTest {
  private static final TopicName TOPIC = new TopicName("orders");

  /** The altered part of a message. */
  enum Altered {
    PAYLOAD,
    KEY
  }

  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));

  private static Payload payload(String text) {
    return Payload.owning(text.getBytes(StandardCharsets.UTF_8));
  }

  private SendOutcome send(String text, Digest hash) {
    return send(payload(text), hash);
  }

  private SendOutcome send(Payload payload, Digest hash) {
    return rig.send(
        new SendRequest(
            TOPIC,
            payload,
            new IdemKey("k"),
            Attributes.NONE,
            null,
            null,
            Duration.ZERO,
            null,
            hash,
            null,
            null));
  }

  @Test
  void aPayloadOfAnotherHashIsNotTakenAndLeavesNothing() {
    SendOutcome outcome = send("x", payload("y").hash());
    assertInstanceOf(SendOutcome.HashMismatch.class, outcome);
    assertEquals(List.of(), rig.mailbox().directory().all(), "not even a topic");
    assertEquals(0, rig.broker.everything().size());
    assertEquals(0, rig.log.countKeys());
    assertEquals(0, rig.mailbox().limits().pendingBytes().total().count());
    assertInstanceOf(SendOutcome.Accepted.class, send("x", payload("x").hash()), "its key is free");
  }

  /** Peeks and calls that give a message back would else hash it again each time. */
  @Test
  void aDeliveryOfTheBrokerIsVerifiedOnce() {
    byte[] bytes = {1, 2, 3};
    Payload payload = Payload.owning(bytes);
    assertInstanceOf(SendOutcome.Accepted.class, send(payload, payload.hash()));
    TopicContents contents = rig.mailbox().topicContents();
    assertEquals(1, rig.operate(() -> contents.peek(rig.caller, TOPIC, null, 1)).size());
    bytes[0]++;
    assertInstanceOf(Delivered.class, rig.recvNow("orders", 1));
    assertEquals(List.of(), rig.broker.quarantined(TOPIC));
  }

  @Test
  void aRepeatedSendIsComparedBeforeItIsRecognized() {
    send("x", payload("x").hash());
    assertInstanceOf(SendOutcome.HashMismatch.class, send("x", payload("y").hash()));
    SendOutcome repeated = send("x", payload("x").hash());
    assertTrue(assertInstanceOf(SendOutcome.Accepted.class, repeated).duplicate());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotIntactIsNotShownToWhoPeeks(Altered what) {
    StoredMessage genuine = beside(what);
    TopicContents contents = rig.mailbox().topicContents();
    List<StoredMessage> seen =
        rig.operate(() -> contents.peek(rig.caller, TOPIC, /* shard= */ null, 10));
    assertEquals(List.of(genuine), seen);
    assertOneLetter();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNotIntactIsNotDelivered(Altered what) {
    StoredMessage genuine = beside(what);
    Delivered delivered = assertInstanceOf(Delivered.class, rig.recvNow(TOPIC.value(), 10));
    assertEquals(
        List.of(genuine.envelope().msgId()),
        delivered.messages().stream().map(one -> one.message().envelope().msgId()).toList());
    assertOneLetter();
  }

  private void assertOneLetter() {
    assertEquals(
        List.of(new Quarantine(DeadLetterReason.INTEGRITY, 0, Quarantine.altered(0).lastError())),
        rig.broker.quarantined(TOPIC).stream().map(ObservedLetter::why).toList());
  }

  /** Sends a good message before an altered one. */
  private StoredMessage beside(Altered what) {
    rig.send(TOPIC.value(), "k", "x");
    StoredMessage genuine = rig.broker.everything().values().iterator().next();
    ShardId shard = rig.mailbox().directory().existing(TOPIC).shard(0);
    StoredMessage other = SampleMessages.message(shard, 9, rig.time.instant());
    StoredMessage altered =
        switch (what) {
          case PAYLOAD -> with(other.envelope(), payload("altered"), genuine);
          case KEY -> with(withKey(other.envelope()), other.payload(), genuine);
        };
    try (BrokerSession session = SampleLog.open(rig.broker, 7)) {
      session.enqueue(shard, altered, null);
      session.commit();
    }
    return genuine;
  }

  private static StoredMessage with(Envelope envelope, Payload payload, StoredMessage like) {
    return new StoredMessage(envelope, payload, null, like.expiresAt());
  }

  private static Envelope withKey(Envelope from) {
    return new Envelope(
        from.msgId(),
        from.topic(),
        from.ts(),
        new IdemKey("another"),
        from.payloadHash(),
        from.attrs(),
        from.corrId(),
        from.shard(),
        from.seq(),
        from.attempt(),
        from.hashChain(),
        from.sig());
  }
}
