package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSourceTest {
  private static List<String> lines(InputStream in) {
    LineSource source = new LineSource(in);
    List<String> lines = new ArrayList<>();
    for (byte[] line = source.next(); line != null; line = source.next()) {
      lines.add(new String(line, UTF_8));
      assertEquals(lines.size(), source.number());
    }
    return lines;
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  @Test
  void onlyLineFeedsSeparate() {
    assertEquals(List.of("a\r", "", "b"), lines(bytes("a\r\n\nb")));
    assertEquals(List.of("a"), lines(bytes("a\n")));
    assertEquals(List.of(), lines(bytes("")));
  }

  /** The sizes of the reads make no difference. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void linesOfAnyLengthArePutTogether(int seed) {
    Random random = new Random(seed);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      expected.add(
          "x".repeat(random.nextInt(20) == 0 ? random.nextInt(300_000) : random.nextInt(50)));
    }
    expected.add("end");
    InputStream slow =
        new ByteArrayInputStream(String.join("\n", expected).getBytes(UTF_8)) {
          @Override
          public synchronized int read(byte[] to, int from, int length) {
            return super.read(to, from, Math.min(length, 1 + random.nextInt(70_000)));
          }
        };
    assertEquals(expected, lines(slow));
  }

  @Test
  void aLineIsReadyWhenItsEndIsThere() {
    LineSource source = new LineSource(bytes("a\nb\nc"));
    assertTrue(source.isReady());
    source.next();
    assertTrue(source.isReady());
    source.next();
    assertFalse(source.isReady());
    assertEquals("c", new String(requireNonNull(source.next()), UTF_8));
    assertFalse(source.isReady());
    assertEquals(5, source.consumed());
  }

  @Test
  void aLineHasABound() {
    InputStream endless =
        new InputStream() {
          private long left = LineSource.MAX + 1L;

          @Override
          public int read() {
            return left-- > 0 ? 'x' : -1;
          }

          @Override
          public int read(byte[] to, int from, int length) {
            int count = (int) Math.min(length, left);
            left -= count;
            return count == 0 ? -1 : count;
          }
        };
    assertThrows(UsageException.class, () -> new LineSource(endless).next());
  }
}
