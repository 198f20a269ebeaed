package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
  private static final String TEXT = "one\n\ntwo äpples\nunterminated";

  private static List<String> lines(LineSplitter splitter, String... parts) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String part : parts) {
      for (byte[] line : splitter.lines(List.of(ByteBuffer.wrap(part.getBytes(UTF_8))))) {
        lines.add(new String(line, UTF_8));
      }
    }
    return lines;
  }

  /** Also within a character. */
  @Test
  void linesAreTheSameWhereverTheirBytesAreCut() throws IOException {
    byte[] bytes = TEXT.getBytes(UTF_8);
    for (int i = 0; i <= bytes.length; i++) {
      for (int j = i; j <= bytes.length; j++) {
        LineSplitter splitter = new LineSplitter(100);
        List<String> lines = new ArrayList<>();
        splitter
            .lines(
                List.of(
                    ByteBuffer.wrap(bytes, 0, i),
                    ByteBuffer.wrap(bytes, i, j - i),
                    ByteBuffer.wrap(bytes, j, bytes.length - j)))
            .forEach(line -> lines.add(new String(line, UTF_8)));
        assertEquals(List.of("one", "", "two äpples"), lines);
      }
    }
  }

  @Test
  void aLineHasAtMostSoManyBytes() throws IOException {
    LineSplitter splitter = new LineSplitter(4);
    assertEquals(List.of("four", "more"), lines(splitter, "fo", "ur\nmo", "re\n"));
    assertThrows(IOException.class, () -> lines(splitter, "five", "5"));
    assertThrows(IOException.class, () -> lines(new LineSplitter(4), "five5\n"));
  }

  @Test
  void aLongLineMakesNoOtherLonger() throws IOException {
    LineSplitter splitter = new LineSplitter(1 << 20);
    String longest = "x".repeat(1 << 20);
    assertEquals(List.of(longest, "short"), lines(splitter, longest, "\nshort\n"));
  }
}
