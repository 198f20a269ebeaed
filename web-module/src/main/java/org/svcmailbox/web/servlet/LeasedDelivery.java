package org.svcmailbox.web.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.svcmailbox.web.answer.Answer;

/**
 * An answer with leased messages on its way. Its bytes count until the server's stream has accepted
 * them; a failure, also a later one, gives the messages back. Any thread.
 */
final class LeasedDelivery {
  /** The call that is answered. */
  interface Call {
    /** The client does not get the messages; at most once. */
    void giveBack();

    /** The answer is over; once, on the thread that writes or ends it. */
    void complete();
  }

  /** Whether the content is in use, or gone: a write must not see it erased. */
  private enum State {
    IDLE,
    WRITING,
    OVER
  }

  private static final Logger LOG = System.getLogger(LeasedDelivery.class.getName());

  /** A server copies what its client does not take of a write, so each is small. */
  private static final int PART = 64 << 10;

  private final Answer answer;
  private final LeasedBytes bytes;
  private final Call call;
  private final AtomicBoolean isGivenBack = new AtomicBoolean();
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  /** Throws {@code SaturatedException} when there is no room for the answer. */
  LeasedDelivery(Answer answer, LeasedBytes bytes, Call call) {
    bytes.take(answer.content().length());
    this.answer = answer;
    this.bytes = bytes;
    this.call = call;
  }

  void write(HttpServletRequest http, HttpServletResponse response) {
    if (answer.content().length() > 0) {
      SentReport.request(http, this::sent);
    }
    try {
      ServletOutputStream output = response.getOutputStream();
      output.setWriteListener(new AnswerWriter(output, steps(response, output), this::written));
    } catch (IOException | RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "No output for an answer: {0}", e.toString());
      written(false);
    }
  }

  private List<AnswerWriter.Step> steps(HttpServletResponse response, ServletOutputStream output) {
    List<AnswerWriter.Step> steps = new ArrayList<>();
    steps.add(() -> run(() -> begin(response)));
    int length = answer.content().length();
    for (int from = 0; from < length; from += PART) {
      int begun = from;
      int count = Math.min(length - from, PART);
      steps.add(() -> run(() -> answer.content().writeTo(output, begun, count)));
    }
    steps.add(() -> run(output::flush));
    return steps;
  }

  private void run(AnswerWriter.Step step) throws IOException {
    if (!state.compareAndSet(State.IDLE, State.WRITING)) {
      throw new IOException("the answer is over");
    }
    try {
      step.run();
    } finally {
      if (!state.compareAndSet(State.WRITING, State.IDLE)) {
        release();
      }
    }
  }

  /** The flush would let the server send the content in chunks, without a length. */
  private void begin(HttpServletResponse response) {
    answer.begin(response);
    if (answer.content().length() > 0) {
      response.setContentLength(answer.content().length());
    }
  }

  private void written(boolean isWritten) {
    if (!isWritten) {
      failed();
    }
    if (isLast()) {
      call.complete();
    }
  }

  /** The server may report a failure before the stream does, or instead of it. */
  private void sent(boolean isSent) {
    if (!isSent) {
      written(false);
    }
  }

  /** The server has ended the request. */
  void ended() {
    if (isLast()) {
      failed();
    }
  }

  private void failed() {
    if (isGivenBack.compareAndSet(false, true)) {
      LOG.log(Level.INFO, "Could not write a RECV answer; its messages are given back");
      call.giveBack();
    }
  }

  /** Ends the answer; returns false when it was over before. */
  private boolean isLast() {
    State before = state.getAndSet(State.OVER);
    if (before == State.IDLE) {
      release();
    }
    return before != State.OVER;
  }

  private void release() {
    answer.content().release();
    bytes.release(answer.content().length());
  }
}
