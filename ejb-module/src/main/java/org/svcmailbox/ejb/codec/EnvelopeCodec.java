package org.svcmailbox.ejb.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;

/**
 * The binary form of an envelope, part of the data format. Version 2, big-endian: the version byte;
 * 16 bytes of msg_id; 8 of ts in milliseconds; 32 of payload_hash; 32 of hash_chain; 4 of shard; 8
 * of seq. Then topic, idem_key and corr_id as texts, each a 2-byte length and its UTF-8 bytes. Then
 * one byte 0, or 1 and the signature. Then one byte with the number of attributes, each a key and a
 * value as texts. Nothing follows. The attempt is not included, because it changes while the
 * message lives. Version 1 has the same form, for a message without a {@link HeaderSeal}; it is
 * still read.
 */
public final class EnvelopeCodec {
  private static final byte VERSION = 2;
  private static final byte UNSEALED = 1;
  private static final int FIXED = 1 + MsgId.BYTES + 8 + 2 * Digest.BYTES + 4 + 8;

  private EnvelopeCodec() {}

  /** Encodes everything except the attempt. */
  public static byte[] encode(Envelope envelope) {
    Signature sig = envelope.sig();
    List<byte[]> names =
        utf8(envelope.topic().value(), envelope.idemKey().value(), envelope.corrId().value());
    List<byte[]> signature = sig == null ? List.of() : utf8(sig.value());
    List<byte[]> attrs = new ArrayList<>(2 * envelope.attrs().values().size());
    envelope.attrs().values().forEach((key, value) -> attrs.addAll(utf8(key, value)));
    ByteBuffer to = ByteBuffer.allocate(FIXED + 2 + size(names) + size(signature) + size(attrs));
    putFixed(to, envelope);
    put(to, names);
    put(to.put((byte) signature.size()), signature);
    put(to.put((byte) (attrs.size() / 2)), attrs);
    return to.array();
  }

  private static void putFixed(ByteBuffer to, Envelope envelope) {
    to.put(VERSION)
        .put(envelope.msgId().bytes())
        .putLong(envelope.ts().toEpochMilli())
        .put(envelope.payloadHash().bytes())
        .put(envelope.hashChain().bytes())
        .putInt(envelope.shard())
        .putLong(envelope.seq());
  }

  private static List<byte[]> utf8(String... texts) {
    List<byte[]> bytes = new ArrayList<>(texts.length);
    for (String text : texts) {
      bytes.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes;
  }

  private static int size(List<byte[]> texts) {
    int size = 0;
    for (byte[] text : texts) {
      size += 2 + text.length;
    }
    return size;
  }

  private static void put(ByteBuffer to, List<byte[]> texts) {
    for (byte[] text : texts) {
      to.putShort((short) text.length).put(text);
    }
  }

  /**
   * Decodes bytes of {@link #encode}.
   *
   * @throws UnreadableMessageException on any other bytes
   */
  public static Envelope decode(byte[] bytes, int attempt) throws UnreadableMessageException {
    StoredBytes from = new StoredBytes(bytes);
    int version = from.u8();
    if (version != VERSION && version != UNSEALED) {
      throw new UnreadableMessageException("unknown version of the envelope");
    }
    try {
      Envelope envelope = decode(from, attempt);
      from.end();
      return envelope;
    } catch (SchemaException | IllegalArgumentException e) {
      // The types check their own values; what they refuse was never written by this codec.
      throw new UnreadableMessageException("bad value in the envelope: " + e.getMessage(), e);
    }
  }

  /** Whether an earlier version of the service wrote these bytes, before messages were sealed. */
  static boolean isUnsealed(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == UNSEALED;
  }

  private static Envelope decode(StoredBytes from, int attempt) throws UnreadableMessageException {
    MsgId msgId = MsgId.ofBytes(from.bytes(MsgId.BYTES));
    Instant ts = Instant.ofEpochMilli(from.i64());
    Digest payloadHash = Digest.ofBytes(from.bytes(Digest.BYTES));
    Digest hashChain = Digest.ofBytes(from.bytes(Digest.BYTES));
    int shard = from.notNegative(from.i32());
    long seq = from.i64();
    TopicName topic = new TopicName(from.text());
    IdemKey idemKey = new IdemKey(from.text());
    CorrId corrId = new CorrId(from.text());
    Signature sig = signature(from);
    Attributes attrs = attributes(from);
    return new Envelope(
        msgId, topic, ts, idemKey, payloadHash, attrs, corrId, shard, seq, attempt, hashChain, sig);
  }

  private static @Nullable Signature signature(StoredBytes from) throws UnreadableMessageException {
    return switch (from.u8()) {
      case 0 -> null;
      case 1 -> new Signature(from.text());
      default -> throw new UnreadableMessageException("bad signature mark in the envelope");
    };
  }

  private static Attributes attributes(StoredBytes from) throws UnreadableMessageException {
    int count = from.u8();
    if (count == 0) {
      return Attributes.NONE;
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      if (values.put(from.text(), from.text()) != null) {
        throw new UnreadableMessageException("an attribute is there twice");
      }
    }
    return new Attributes(values);
  }
}
