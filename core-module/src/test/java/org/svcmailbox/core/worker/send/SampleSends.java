package org.svcmailbox.core.worker.send;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.bounds.Admission;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** SENDs to the first shard of a topic, each admitted by limits of its own. */
final class SampleSends {
  static final Instant NOW = Instant.parse("2026-11-22T12:00:00.123456Z");

  private SampleSends() {}

  /**
   * @param letter the dead letter that it ends; null for a client's message
   * @param sender null for a message of no client
   */
  static Send send(
      Topic topic,
      String key,
      String payload,
      @Nullable MsgId letter,
      @Nullable CapabilityId sender) {
    IdemKey idemKey = new IdemKey(key);
    Payload bytes = Payload.owning(payload.getBytes(UTF_8));
    SendRequest request =
        new SendRequest(
            topic.name(), bytes, idemKey, Attributes.NONE, null, null, Duration.ZERO, null);
    ShardId shard = topic.shard(0);
    return new Send(
        topic,
        shard,
        envelope(topic, shard, idemKey, bytes),
        request,
        sender,
        letter == null ? null : letter(topic, letter),
        admitted(shard));
  }

  private static SourceLetter letter(Topic topic, MsgId letter) {
    return new SourceLetter(new LetterAddress(topic.name(), 0, 1), letter, MessageHistory.NONE);
  }

  private static Envelope envelope(Topic topic, ShardId shard, IdemKey key, Payload bytes) {
    return new Envelope(
        MsgId.create(shard.slot(), NOW),
        topic.name(),
        NOW,
        key,
        bytes.hash(),
        Attributes.NONE,
        new CorrId("c"),
        0,
        0,
        1,
        HashChain.of(topic.name(), NOW, key, bytes.hash(), Attributes.NONE),
        null);
  }

  private static Admission.Admitted admitted(ShardId shard) {
    Limits limits =
        new Limits(
            SettingsLoader.load(key -> Optional.empty(), Set.of(), 2), new TestDisk(), () -> 0L);
    return limits
        .admit(1, shard, 1, null)
        .either(
            admitted -> admitted,
            why -> {
              throw new AssertionError(why);
            });
  }
}
