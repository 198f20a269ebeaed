package org.svcmailbox.client.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;

/**
 * The thread that opens the streams of a mailbox, one after the other, and ends them. Runs while
 * receives wait for a stream or one is open. At last it gives back what nobody took.
 *
 * @param <M> the messages
 */
public abstract class StreamPump<M> implements Runnable {
  private final Logger log;
  private final String topic;
  private final StreamCourse<M> course;
  private final Lifecycle lifecycle;
  private final Duration shortestLease;

  /**
   * A pump that does not run yet.
   *
   * @param log gets a line when it fails
   * @param shortestLease for messages that come although they are given back
   */
  protected StreamPump(
      Logger log,
      String topic,
      StreamCourse<M> course,
      Lifecycle lifecycle,
      Duration shortestLease) {
    this.log = log;
    this.topic = topic;
    this.course = course;
    this.lifecycle = lifecycle;
    this.shortestLease = shortestLease;
  }

  /**
   * Runs it as a call that closing waits for.
   *
   * @throws MailboxConnectionException if there is no thread
   */
  public final void start(Executor threads) {
    lifecycle.begin();
    try {
      threads.execute(this);
    } catch (RuntimeException | Error e) {
      lifecycle.end();
      throw new MailboxConnectionException(
          "there is no thread for the stream", Outcome.NOT_DONE, e);
    }
  }

  @Override
  public final void run() {
    try {
      do {
        for (StreamLink<M> next = course.awaitDemand(); next != null; next = course.awaitDemand()) {
          follow(next);
        }
        giveBackUnread();
      } while (!course.endsPump());
    } catch (InterruptedException | RuntimeException | Error e) {
      log.log(Level.WARNING, "the stream of " + topic + " failed", e);
      course.pumpFailed(e);
    } finally {
      lifecycle.end();
    }
  }

  private void giveBackUnread() throws InterruptedException {
    @Nullable StreamTerms request = course.toGiveBack(shortestLease);
    if (request != null) {
      giveBack(request);
    }
  }

  /** Opens a stream and waits for its end. */
  protected abstract void follow(StreamLink<M> next) throws InterruptedException;

  /**
   * Resumes a stream after the last message that was handed out, and hangs up. There is no window,
   * so that nothing more comes.
   */
  protected abstract void giveBack(StreamTerms request) throws InterruptedException;
}
