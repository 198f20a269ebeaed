package org.svcmailbox.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.servlet.StrictInput;
import org.svcmailbox.test.servlet.StrictOutput;

/** Messages on streams that enforce the contract of non-blocking I/O. */
class NonBlockingTest {
  private final List<String> done = new CopyOnWriteArrayList<>();

  @Test
  void aMessageIsWrittenAndFlushedBeforeItCounts() {
    byte[] message = {1, 2, 3};
    try (StrictOutput output = new StrictOutput()) {
      MessageWriter.begin(output, message, written -> done.add(written + " " + output.calls()));
      output.settle();
      assertEquals(List.of("true [write, flush]"), done);
      assertArrayEquals(message, output.taken());
    }
  }

  @Test
  void aBodyIsReadToItsEnd() {
    assertEquals(List.of("received one, two"), read(16, "one, ", "two"));
  }

  @Test
  void aBodyOfTheLargestSizeIsReadAndOneByteMoreIsTooMuch() {
    assertEquals(List.of("received 12345678"), read(8, "1234", "5678"));
    assertEquals(List.of("too large"), read(8, "1234", "56789"));
  }

  @Test
  void anEmptyBodyIsABody() {
    assertEquals(List.of("received "), read(1));
  }

  private List<String> read(int max, String... parts) {
    done.clear();
    List<byte[]> bytes = List.of(parts).stream().map(part -> part.getBytes(UTF_8)).toList();
    try (StrictInput input = new StrictInput(bytes)) {
      input.setReadListener(new MessageBody(input, max, new Recorded()));
      input.settle();
    }
    return List.copyOf(done);
  }

  private final class Recorded implements MessageBody.Receiver {
    @Override
    public void received(byte[] body) {
      done.add("received " + new String(body, UTF_8));
    }

    @Override
    public void tooLarge() {
      done.add("too large");
    }

    @Override
    public void broken() {
      done.add("broken");
    }
  }
}
