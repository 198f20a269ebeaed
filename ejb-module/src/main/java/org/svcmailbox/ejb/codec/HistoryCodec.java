package org.svcmailbox.ejb.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.MalformedCapabilityException;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;

/**
 * The binary form of the history of a message, part of the data format. Version 1, big-endian: the
 * version byte; 4 bytes with the number of dropped events; 4 with the number of reprocessings. One
 * byte with the number of events follows, then the events. An event is one byte for its kind (0
 * nacked, 1 expired, 2 reprocessed), 8 of its time in milliseconds, 4 of the attempt, and the note.
 * It ends with one byte 0, or 1 and the root key and the nonce of a capability. Texts are a 2-byte
 * length and their UTF-8 bytes. Nothing follows.
 */
public final class HistoryCodec {
  private static final byte VERSION = 1;

  private HistoryCodec() {}

  public static byte[] encode(MessageHistory history) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream to = new DataOutputStream(bytes)) {
      to.writeByte(VERSION);
      to.writeInt(history.dropped());
      to.writeInt(history.redrives());
      to.writeByte(history.events().size());
      for (MessageEvent event : history.events()) {
        encode(event, to);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void encode(MessageEvent event, DataOutputStream to) throws IOException {
    to.writeByte(code(event.kind()));
    to.writeLong(event.at().toEpochMilli());
    to.writeInt(event.attempt());
    text(event.note(), to);
    CapabilityId by = event.by();
    to.writeByte(by == null ? 0 : 1);
    if (by != null) {
      text(by.keyId(), to);
      text(by.nonce(), to);
    }
  }

  private static int code(MessageEvent.Kind kind) {
    return switch (kind) {
      case NACKED -> 0;
      case EXPIRED -> 1;
      case REDRIVEN -> 2;
    };
  }

  private static MessageEvent.Kind kind(int code) throws UnreadableMessageException {
    return switch (code) {
      case 0 -> MessageEvent.Kind.NACKED;
      case 1 -> MessageEvent.Kind.EXPIRED;
      case 2 -> MessageEvent.Kind.REDRIVEN;
      default -> throw new UnreadableMessageException("an event of no known kind in the history");
    };
  }

  private static void text(String text, DataOutputStream to) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    to.writeShort(bytes.length);
    to.write(bytes);
  }

  /**
   * Decodes bytes of {@link #encode}.
   *
   * @throws UnreadableMessageException on any other bytes
   */
  static MessageHistory decode(byte[] bytes) throws UnreadableMessageException {
    StoredBytes from = new StoredBytes(bytes);
    if (from.u8() != VERSION) {
      throw new UnreadableMessageException("unknown version of the history");
    }
    int dropped = from.notNegative(from.i32());
    int redrives = from.notNegative(from.i32());
    List<MessageEvent> events = new ArrayList<>();
    for (int count = from.u8(); count > 0; count--) {
      events.add(event(from));
    }
    from.end();
    return new MessageHistory(events, dropped, redrives);
  }

  private static MessageEvent event(StoredBytes from) throws UnreadableMessageException {
    MessageEvent.Kind kind = kind(from.u8());
    Instant at = Instant.ofEpochMilli(from.i64());
    int attempt = from.notNegative(from.i32());
    String note = from.text();
    if (note.length() > MessageEvent.MAX_NOTE) {
      throw new UnreadableMessageException("a note that is too long in the history");
    }
    return new MessageEvent(kind, at, attempt, note, by(from));
  }

  private static @Nullable CapabilityId by(StoredBytes from) throws UnreadableMessageException {
    if (from.u8() == 0) {
      return null;
    }
    try {
      return new CapabilityId(from.text(), from.text());
    } catch (MalformedCapabilityException e) {
      throw new UnreadableMessageException("no capability's id in the history", e);
    }
  }
}
