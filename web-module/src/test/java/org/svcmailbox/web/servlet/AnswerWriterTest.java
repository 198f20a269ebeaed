package org.svcmailbox.web.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.servlet.StrictOutput;

/** An answer is written once and ends once, after the server has passed all of it on. */
class AnswerWriterTest {
  private static final byte[] ANSWER = {1, 2, 3};

  private final StrictOutput output = new StrictOutput();
  private final List<String> done = new CopyOnWriteArrayList<>();

  private AnswerWriter writer(AnswerWriter.Step... steps) {
    return new AnswerWriter(
        output,
        List.of(steps),
        isWritten -> done.add((isWritten ? "ended after " : "failed after ") + output.calls()));
  }

  private void begin(AnswerWriter.Step... steps) {
    output.setWriteListener(writer(steps));
    output.settle();
  }

  /** Keeps the server from calling the writer under test. */
  private static final class IgnoredCalls implements WriteListener {
    @Override
    public void onWritePossible() {}

    @Override
    public void onError(Throwable failure) {}
  }

  @AfterEach
  void close() {
    output.close();
  }

  @Test
  void anAnswerEndsWhenTheServerHasTakenAllOfIt() {
    begin(() -> output.write(ANSWER));
    assertEquals(List.of("ended after [write]"), done);
    assertArrayEquals(ANSWER, output.taken());
  }

  @Test
  void anAnswerWithoutContentEnds() {
    begin(() -> {});
    assertEquals(List.of("ended after []"), done);
  }

  @Test
  void anAnswerThatBreaksOffEnds() {
    output.setWriteListener(new IgnoredCalls());
    AnswerWriter writer = writer(() -> output.write(ANSWER));
    writer.onWritePossible();
    writer.onError(new IOException("gone"));
    output.settle();
    assertEquals(List.of("failed after [write]"), done);
  }

  @Test
  void eachStepWaitsForTheServer() {
    begin(() -> output.write(ANSWER), output::flush);
    assertEquals(List.of("ended after [write, flush]"), done);
  }

  @Test
  void anAnswerThatCannotBeWrittenFails() {
    begin(
        () -> {
          throw new IOException("gone");
        });
    assertEquals(List.of("failed after []"), done);
  }

  @Test
  void anAnswerWhoseExchangeHasEndedFails() {
    begin(
        () -> {
          throw new IllegalStateException("ended");
        });
    assertEquals(List.of("failed after []"), done);
  }
}
