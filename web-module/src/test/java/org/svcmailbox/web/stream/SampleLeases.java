package org.svcmailbox.web.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.StoredMessage;

/** Leased messages for streams. */
public final class SampleLeases {
  private SampleLeases() {}

  public static LeasedMessage of(byte[] payload) {
    return of(payload, Attributes.NONE, null);
  }

  /** A message whose fields alone are longer than many payloads. */
  static LeasedMessage withAttribute(byte[] payload, int length) {
    return of(payload, new Attributes(Map.of("a", "ü".repeat(length))), null);
  }

  /** A message of a sender that traces. */
  static LeasedMessage traced(byte[] payload) {
    String parent = "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01";
    return of(payload, Attributes.NONE, new TraceContext(parent, null));
  }

  private static LeasedMessage of(byte[] payload, Attributes attrs, @Nullable TraceContext trace) {
    Envelope envelope =
        new Envelope(
            MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            new TopicName("t"),
            Instant.EPOCH,
            new IdemKey("k"),
            Digest.ZERO,
            attrs,
            CorrId.random(),
            0,
            1,
            1,
            Digest.ZERO,
            null);
    return new LeasedMessage(
        new StoredMessage(envelope, Payload.owning(payload), null, Instant.EPOCH, trace),
        new Receipt("r"),
        Duration.ofSeconds(5));
  }
}
