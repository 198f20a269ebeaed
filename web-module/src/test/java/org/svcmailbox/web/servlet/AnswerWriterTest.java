package org.svcmailbox.web.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An answer is written once and ends once, after the server has passed all of it on. */
class AnswerWriterTest {
  private final Output output = new Output();
  private final List<String> done = new ArrayList<>();
  private final AnswerWriter sending =
      new AnswerWriter(output, () -> done.add("written"), () -> done.add("ended"));

  private static final class Output extends ServletOutputStream {
    private boolean isReady = true;

    @Override
    public boolean isReady() {
      return isReady;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(int octet) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void anAnswerThatIsTakenAtOnceEndsAtOnce() {
    sending.onWritePossible();
    assertEquals(List.of("written", "ended"), done);
  }

  @Test
  void anAnswerEndsWhenTheClientHasTakenAllOfIt() {
    output.isReady = false;
    sending.onWritePossible();
    assertEquals(List.of("written"), done);
    output.isReady = true;
    sending.onWritePossible();
    assertEquals(List.of("written", "ended"), done);
  }

  @Test
  void anAnswerThatBreaksOffEnds() {
    output.isReady = false;
    sending.onWritePossible();
    sending.onError(new IOException("gone"));
    assertEquals(List.of("written", "ended"), done);
  }

  @Test
  void anAnswerThatCannotBeWrittenEnds() {
    AnswerWriter failing =
        new AnswerWriter(
            output,
            () -> {
              throw new IOException("gone");
            },
            () -> done.add("ended"));
    failing.onWritePossible();
    assertEquals(List.of("ended"), done);
  }
}
