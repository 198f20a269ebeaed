package org.svcmailbox.worker.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Payload;

/** Reads a payload that an operator supplies. */
final class PayloadFile {
  private PayloadFile() {}

  /**
   * Reads a file.
   *
   * @throws OutboxException if it is missing, too large or not text
   */
  static Payload read(Path file) {
    byte[] bytes = bytes(file);
    if (bytes.length > EventRules.MAX_PAYLOAD_BYTES) {
      throw new OutboxException(ErrorCode.PAYLOAD_TOO_LARGE, file + " is over 512 KiB");
    }
    try {
      return new Payload(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new OutboxException(ErrorCode.INVALID_MESSAGE, file + " is not UTF-8", e);
    }
  }

  /** Reads one byte more than allowed, to detect a larger file. */
  private static byte[] bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(EventRules.MAX_PAYLOAD_BYTES + 1);
    } catch (IOException e) {
      throw new OutboxException(ErrorCode.INVALID_CONFIG, file + " cannot be read", e);
    }
  }
}
