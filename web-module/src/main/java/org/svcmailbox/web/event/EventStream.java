package org.svcmailbox.web.event;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.svcmailbox.core.capability.Caller;

/**
 * One client that looks on. The server says when the client has taken what it was sent; an event
 * that comes before that is left out. Any thread.
 */
final class EventStream implements WriteListener {
  /** After so long without a byte taken the client is given up. */
  static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);

  private static final Logger LOG = System.getLogger(EventStream.class.getName());

  private final Caller caller;
  private final Terms terms;
  private final ServletOutputStream output;
  private final Runnable completion;
  private boolean isReady;
  private boolean isEnding;
  private boolean isEnded;
  private long refusedSince;
  private long next;
  private long lastSent;
  private int sent;

  /**
   * What a client asked for, in nanoseconds of the streams' clock.
   *
   * @param began now
   * @param interval between two events
   * @param deadline when it ends at the latest
   * @param max events
   */
  record Terms(long began, long interval, long deadline, int max) {}

  /**
   * @param completion called once, when nothing more will be written
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

  synchronized boolean isEnded() {
    return isEnded;
  }

  /** Whether the next event is due. */
  synchronized boolean isDue(long now) {
    return now - next >= 0;
  }

  /** Whether it has gone on for as long as it may, or its client does not read. */
  synchronized boolean isOver(long now) {
    return now - terms.deadline() >= 0
        || (!isReady && now - refusedSince >= STALL_TIMEOUT.toNanos());
  }

  /** Sends an event, if the client has taken the last one. */
  synchronized void send(byte[] event, long now) {
    next = now + terms.interval();
    if (write(event, now)) {
      sent++;
      if (sent >= terms.max()) {
        end();
      }
    }
  }

  /** Sends something that is no event, if nothing was sent for so long. */
  synchronized void keepAlive(byte[] comment, long now, Duration after) {
    if (now - lastSent >= after.toNanos()) {
      boolean unused = write(comment, now);
    }
  }

  private boolean write(byte[] bytes, long now) {
    if (!isReady || isEnding || isEnded) {
      return false;
    }
    try {
      output.write(bytes);
      isReady = output.isReady();
      if (isReady) {
        output.flush();
        isReady = output.isReady();
      }
      lastSent = now;
      refusedSince = now;
      return true;
    } catch (IOException e) {
      onError(e);
      return false;
    }
  }

  /** Sends nothing more; what was sent may still be taken. */
  synchronized void end() {
    isEnding = true;
    if (isReady) {
      complete();
    }
  }

  /** Gives the client up. */
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
    isReady = !isEnded && output.isReady();
    if (isReady && isEnding) {
      complete();
    }
  }

  @Override
  public synchronized void onError(Throwable failure) {
    // There is nobody left to be told, and nothing went wrong here.
    LOG.log(Level.DEBUG, "A stream of events has ended: {0}", failure.toString());
    complete();
  }
}
