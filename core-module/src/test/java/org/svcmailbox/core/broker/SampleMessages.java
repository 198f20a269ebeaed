package org.svcmailbox.core.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;

/** Well-formed messages. */
public final class SampleMessages {
  /** A trace context with every field. */
  public static final TraceContext TRACE =
      new TraceContext(
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "rojo=1,congo=t61rcWkgMzE");

  public static final CapabilityId HOLDER = new CapabilityId("k1", "0123456789abcdef".repeat(2));

  private SampleMessages() {}

  /** A small message at a place in a shard's ledger. */
  public static StoredMessage message(ShardId shard, long seq, Instant now) {
    byte[] payload = ("payload " + seq).getBytes(StandardCharsets.UTF_8);
    return message(shard, seq, now, payload, Attributes.NONE, null);
  }

  /** A message with every field that a sender can set. */
  public static StoredMessage message(
      ShardId shard,
      long seq,
      Instant now,
      byte[] bytes,
      Attributes attrs,
      @Nullable Signature sig) {
    Payload payload = Payload.owning(bytes);
    Instant ts = Timestamps.truncated(now);
    IdemKey key = new IdemKey("key-" + shard + "-" + seq);
    Digest hash = payload.hash();
    Digest chain = HashChain.of(shard.topic(), ts, key, hash, attrs);
    MsgId id = MsgId.create(shard.slot(), ts);
    Envelope envelope =
        new Envelope(
            id,
            shard.topic(),
            ts,
            key,
            hash,
            attrs,
            CorrId.random(),
            shard.index(),
            seq,
            1,
            chain,
            sig);
    return new StoredMessage(envelope, payload, null, ts.plus(Duration.ofDays(7)));
  }

  /** The same message in a trace. */
  public static StoredMessage within(TraceContext trace, StoredMessage message) {
    return new StoredMessage(
        message.envelope(), message.payload(), message.lastError(), message.expiresAt(), trace);
  }

  /** The end of a delivery by a NACK. */
  public static MessageEvent refused(int attempt, String why) {
    return new MessageEvent(
        MessageEvent.Kind.NACKED, Instant.ofEpochMilli(1_800_000_000_123L), attempt, why, HOLDER);
  }

  /** Attributes that break careless codecs. */
  public static Attributes awkwardAttributes() {
    return new Attributes(
        Map.of(
            "plain", "value",
            "empty", "",
            "zero", "a\u0000b",
            "ключ", "значение — ünïcödé",
            "\uD83D\uDCEC", "\uD83D\uDE80 and \u202Eright to left",
            "long", "é".repeat(Attributes.MAX_VALUE)));
  }

  /** Places in the ledger, by which tests name messages. */
  public static List<Long> seqs(Collection<Delivery> deliveries) {
    return deliveries.stream().map(d -> d.message().envelope().seq()).toList();
  }

  /** Another message with the number of {@code of}. */
  public static StoredMessage twin(StoredMessage of, Instant at) {
    Envelope envelope = of.envelope();
    Envelope twin =
        new Envelope(
            MsgId.create(envelope.msgId().slot(), at),
            envelope.topic(),
            envelope.ts(),
            envelope.idemKey(),
            envelope.payloadHash(),
            envelope.attrs(),
            envelope.corrId(),
            envelope.shard(),
            envelope.seq(),
            1,
            envelope.hashChain(),
            envelope.sig());
    return new StoredMessage(
        twin, of.payload(), null, of.expiresAt(), of.ttl(), MessageHistory.NONE, of.trace());
  }
}
