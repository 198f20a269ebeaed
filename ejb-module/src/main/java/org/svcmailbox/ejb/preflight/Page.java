package org.svcmailbox.ejb.preflight;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A page file of Artemis 2.44, read up to the address of its first message. */
final class Page {
  private static final int START = '{';
  private static final int SMALL_MESSAGE = 0;
  private static final int CORE = 1;
  private static final int PRESENT = 1;

  /** Longer than any name that this service gives. */
  private static final int MOST_BYTES = 2_048;

  private Page() {}

  /** Whether anything was ever written to it. */
  static boolean isFilled(Path file) {
    try {
      return Files.size(file) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The address of its first message; empty if this service did not write the message. */
  static Optional<String> address(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      boolean isRecord = in.readUnsignedByte() == START && in.readInt() > 0;
      in.readLong(); // the transaction
      boolean isOurs = in.readUnsignedByte() == SMALL_MESSAGE && in.readUnsignedByte() == CORE;
      in.readLong(); // the message
      boolean isAddressed = in.readUnsignedByte() == PRESENT;
      int length = in.readInt();
      if (!isRecord || !isOurs || !isAddressed || length <= 0 || length > MOST_BYTES) {
        return Optional.empty();
      }
      byte[] text = in.readNBytes(length);
      return text.length == length
          ? Optional.of(new String(text, StandardCharsets.UTF_16LE))
          : Optional.empty();
    } catch (EOFException e) {
      return Optional.empty();
    }
  }
}
