package org.svcmailbox.bench.contestant.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BeanstalkdClientTest {
  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void anAnswerHasTheWantedWords() throws IOException {
    assertEquals(
        List.of("RESERVED", "7", "1024"), BeanstalkdClient.words("RESERVED 7 1024", "RESERVED", 3));
  }

  @ParameterizedTest
  @CsvSource({"NOT_FOUND, 1", "BURIED 7, 2", "DELETED 7, 1", "DELETED, 2", "'', 1"})
  void anotherAnswerIsRefused(String answer, int count) {
    var refused =
        assertThrows(IOException.class, () -> BeanstalkdClient.words(answer, "DELETED", count));
    assertEquals("beanstalkd answered " + answer + " instead of DELETED", refused.getMessage());
  }

  @Test
  void linesEndAtTheirEnd() throws IOException {
    InputStream in = stream("USING a\r\nTIMED_OUT\r\n");
    assertEquals("USING a", BeanstalkdClient.line(in));
    assertEquals("TIMED_OUT", BeanstalkdClient.line(in));
    assertThrows(IOException.class, () -> BeanstalkdClient.line(in));
  }

  @Test
  void aLineHasAtMost256Characters() throws IOException {
    String longest = "x".repeat(256);
    assertEquals(longest, BeanstalkdClient.line(stream(longest + "\r\n")));
    assertThrows(IOException.class, () -> BeanstalkdClient.line(stream(longest + "x\r\n")));
  }
}
