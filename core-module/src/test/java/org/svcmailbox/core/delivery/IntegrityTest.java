package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;

/** A payload is the one that its sender meant, when it comes and when it is shown. */
class IntegrityTest {
  private static final TopicName TOPIC = new TopicName("orders");

  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.ready_shards", "1"));

  private static Payload payload(String text) {
    return Payload.owning(text.getBytes(StandardCharsets.UTF_8));
  }

  private SendOutcome send(String text, Digest hash) {
    return rig.send(
        new SendRequest(
            TOPIC,
            payload(text),
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
    assertEquals(0, rig.mailbox().limits().pendingBytes().count());
    assertInstanceOf(SendOutcome.Accepted.class, send("x", payload("x").hash()), "its key is free");
  }

  @Test
  void aRepeatedSendIsComparedBeforeItIsRecognized() {
    send("x", payload("x").hash());
    assertInstanceOf(SendOutcome.HashMismatch.class, send("x", payload("y").hash()));
    SendOutcome repeated = send("x", payload("x").hash());
    assertTrue(assertInstanceOf(SendOutcome.Accepted.class, repeated).duplicate());
  }

  @Test
  void whatIsNotIntactIsNotShownToWhoPeeks() {
    rig.send(TOPIC.value(), "k", "x");
    StoredMessage genuine = rig.broker.everything().values().iterator().next();
    try (BrokerSession session = rig.broker.open(7)) {
      session.enqueue(
          rig.mailbox().topic(TOPIC).shard(0),
          new StoredMessage(
              SampleMessages.message(rig.mailbox().topic(TOPIC).shard(0), 9, rig.time.instant())
                  .envelope(),
              payload("altered"),
              null,
              genuine.expiresAt()),
          null);
      session.commit();
    }
    TopicContents contents = rig.mailbox().topicContents();
    List<StoredMessage> seen =
        rig.operate(() -> contents.peek(rig.caller, TOPIC, /* shard= */ null, 10));
    assertEquals(List.of(genuine), seen);
    assertEquals(
        List.of(DeadLetterReason.INTEGRITY),
        rig.broker.quarantined(TOPIC).stream().map(letter -> letter.why().reason()).toList());
  }
}
