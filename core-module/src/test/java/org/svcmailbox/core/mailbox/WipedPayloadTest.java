package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;

/** In amnesia a payload's bytes are overwritten once it is answered, and not before. */
class WipedPayloadTest {
  private final byte[] bytes = {1, 2, 3};

  private CompletionStage<SendOutcome> send(MailboxRig rig) {
    return rig.mailbox()
        .send(
            SampleCallers.OPERATOR,
            new SendRequest(
                new TopicName("t"),
                Payload.owning(bytes),
                new IdemKey("k"),
                Attributes.NONE,
                null,
                null,
                Duration.ZERO,
                null));
  }

  @Test
  void inAmnesiaTheyAreOverwrittenWithTheAnswer() {
    MailboxRig rig = new MailboxRig(1, Map.of("mailbox.amnesia", "true"));
    CompletionStage<SendOutcome> outcome = send(rig);
    assertFalse(outcome.toCompletableFuture().isDone());
    assertArrayEquals(new byte[] {1, 2, 3}, bytes);
    rig.run();
    assertArrayEquals(new byte[3], bytes);
  }

  @Test
  void inAmnesiaTheyAreOverwrittenWhenTheMessageIsRefused() {
    MailboxRig rig = new MailboxRig(1, Map.of("mailbox.amnesia", "true"));
    rig.mailbox().stopIntake();
    send(rig);
    assertArrayEquals(new byte[3], bytes);
  }

  @Test
  void otherwiseTheyAreLeftAlone() {
    MailboxRig rig = new MailboxRig(1, Map.of());
    send(rig);
    rig.run();
    assertArrayEquals(new byte[] {1, 2, 3}, bytes);
  }
}
