package org.svcmailbox.web.event;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.svcmailbox.core.capability.Caller;

/**
 * The event stream of one client. It skips events until the client has read the previous one. Any
 * thread.
 */
final class EventStream implements WriteListener {
  /** A client that reads nothing for this long is disconnected. */
  static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

  private static final Logger LOG = System.getLogger(EventStream.class.getName());

  private final Caller caller;
  private final Terms terms;
  private final ServletOutputStream output;
  private final Runnable completion;
  private boolean isReady;
  private boolean isUnflushed;
  private boolean isEnding;
  private boolean isEnded;
  private long refusedSince;
  private long next;
  private long lastSent;
  private int sent;

  /**
   * The limits of a stream, in nanoseconds of the streams' clock.
   *
   * @param view the topics that the stream shows
   * @param began when the stream was opened
   * @param interval between two events
   * @param deadline the latest end
   * @param max events
   */
  record Terms(EventView view, long began, long interval, long deadline, int max) {}

  /**
   * @param completion runs once, after the last write
   */
  EventStream(Caller caller, Terms terms, ServletOutputStream output, Runnable completion) {
    this.caller = caller;
    this.terms = terms;
    this.output = output;
    this.completion = completion;
    this.next = terms.began();
    this.lastSent = terms.began();
    this.refusedSince = terms.began();
  }

  Caller caller() {
    return caller;
  }

  EventView view() {
    return terms.view();
  }

  synchronized boolean isEnded() {
    return isEnded;
  }

  synchronized boolean isDue(long now) {
    return now - next >= 0;
  }

  /** Whether the deadline has passed or the client has stopped reading. */
  synchronized boolean isOver(long now) {
    return now - terms.deadline() >= 0
        || (!isReady && now - refusedSince >= STALL_TIMEOUT.toNanos());
  }

  /** Sends an event, unless the client has not read the previous one. */
  synchronized void send(byte[] event, long now) {
    next = now + terms.interval();
    if (write(event, now)) {
      sent++;
      if (sent >= terms.max()) {
        end();
      }
    }
  }

  /** Sends a comment if nothing was sent for {@code after}. */
  synchronized void keepAlive(byte[] comment, long now, Duration after) {
    if (now - lastSent >= after.toNanos()) {
      boolean unused = write(comment, now);
    }
  }

  private boolean write(byte[] bytes, long now) {
    // Asks again, because some servers let only the thread that asked write.
    isReady = isReady && !isEnding && !isEnded && output.isReady();
    if (!isReady) {
      return false;
    }
    try {
      output.write(bytes);
      isUnflushed = true;
      flush();
      lastSent = now;
      refusedSince = now;
      return true;
    } catch (IOException e) {
      onError(e);
      return false;
    }
  }

  /** Each write and each flush needs an {@code isReady()} that returned true. */
  private void flush() throws IOException {
    isReady = output.isReady();
    if (isReady && isUnflushed) {
      isUnflushed = false;
      output.flush();
      isReady = output.isReady();
    }
  }

  /** Stops sending; the client may still read what was sent. */
  synchronized void end() {
    isEnding = true;
    if (isReady) {
      complete();
    }
  }

  /** Ends the stream without waiting for the client. */
  synchronized void abandon() {
    complete();
  }

  private void complete() {
    if (!isEnded) {
      isEnded = true;
      completion.run();
    }
  }

  @Override
  public synchronized void onWritePossible() {
    if (isEnded) {
      return;
    }
    try {
      flush();
      if (isReady && isEnding) {
        complete();
      }
    } catch (IOException e) {
      onError(e);
    }
  }

  @Override
  public synchronized void onError(Throwable failure) {
    // The client is gone, which is no failure of the service.
    LOG.log(Level.DEBUG, "An event stream failed: {0}", failure.toString());
    complete();
  }
}
