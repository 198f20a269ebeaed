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
 * An answer with leased messages while it is being written. Its bytes count until the server's
 * stream has accepted them. A failure gives the messages back, even after that. Any thread.
 */
final class LeasedDelivery {
  /** The call that gets the answer. */
  interface Call {
    /** Gives the messages back, because the client does not get them. Called at most once. */
    void giveBack();

    /** Completes the call. Called once, on the thread that writes or ends the answer. */
    void complete();
  }

  /** Tells whether the content is in use or gone, because a write must not see erased bytes. */
  private enum State {
    IDLE,
    WRITING,
    OVER
  }

  private static final Logger LOG = System.getLogger(LeasedDelivery.class.getName());

  /**
   * The size of a write. Small, because a server copies the part of a write that its client does
   * not take.
   */
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

  /**
   * Sets the length, because otherwise the server could send the content in chunks after a flush.
   */
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

  /** Called when the server has ended the request. */
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

  /** Ends the answer; returns false if it had ended before. */
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
