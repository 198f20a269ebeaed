package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * One bit flipped in each of many messages, wherever a broker that is not running has it in its
 * files. A message is found by its payload, which begins with {@link #mark}; what the broker writes
 * of it follows.
 */
final class StoredFlips {
  private static final byte[] MARK = "<<payload-".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 6;

  /** Where a message is to be altered: bytes behind the first place that has {@code anchor}. */
  @SuppressWarnings("ArrayRecordComponent") // searched for, never compared
  record Flip(String what, byte[] anchor, int behind) {
    /** In the value of a property, of a type that begins with so many bytes of its own. */
    static Flip value(SimpleString name, int prefix, int at) {
      return new Flip(name + "[" + at + "]", name.getData(), name.getData().length + prefix + at);
    }

    /** In the name of a property. */
    static Flip name(SimpleString name) {
      return new Flip("name " + name, name.getData(), 0);
    }
  }

  private final Map<Integer, Flip> flips = new TreeMap<>();
  private int flipped;

  /** The beginning of a message's payload. */
  static String mark(int number) {
    return "<<payload-%06d>>".formatted(number);
  }

  void put(int number, Flip flip) {
    flips.put(number, flip);
  }

  Map<Integer, Flip> all() {
    return flips;
  }

  /** How many bits were flipped. */
  int flipped() {
    return flipped;
  }

  /** Alters every file of a directory below the broker's that has some of the messages. */
  void apply(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        alter(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void alter(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int before = flipped;
    List<Integer> marks = marks(bytes);
    for (int i = 0; i < marks.size(); i++) {
      int from = marks.get(i);
      int to = i + 1 < marks.size() ? marks.get(i + 1) : bytes.length;
      Flip flip = flips.get(number(bytes, from));
      if (flip != null) {
        int anchor = find(bytes, flip.anchor(), from, to);
        assertTrue(anchor >= 0, () -> file + " has no " + flip.what());
        int place = anchor + flip.behind();
        bytes[place] ^= (byte) (1 << (place % 8));
        flipped++;
      }
    }
    if (flipped > before) {
      Files.write(file, bytes);
    }
  }

  private static List<Integer> marks(byte[] bytes) {
    List<Integer> marks = new ArrayList<>();
    for (int at = 0; at <= bytes.length - MARK.length; at++) {
      if (bytes[at] == MARK[0] && isAt(bytes, MARK, at)) {
        marks.add(at);
      }
    }
    return marks;
  }

  private static int number(byte[] bytes, int mark) {
    int from = mark + MARK.length;
    return Integer.parseInt(new String(bytes, from, DIGITS, StandardCharsets.US_ASCII));
  }

  private static int find(byte[] bytes, byte[] wanted, int from, int to) {
    for (int at = from; at <= to - wanted.length; at++) {
      if (isAt(bytes, wanted, at)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isAt(byte[] bytes, byte[] wanted, int at) {
    return Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
  }
}
