package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.spi.OpenCalls;

/**
 * Whether a mailbox is open, closing or stopped, and its running calls. Closing cancels receives
 * and heartbeats, and lets everything else end; stopping cancels what has not ended in time.
 */
public final class Lifecycle extends OpenCalls {
  /** How long cancelled calls may take to end; they wait for nothing but processor time. */
  private static final Duration WIND_DOWN = Duration.ofSeconds(2);

  /** A request that waits for its response. */
  public static final class Request {
    private final Future<?> response;
    private final boolean endsWithMailbox;

    /**
     * A request.
     *
     * @param endsWithMailbox whether its answer has no use once closing has begun
     */
    public Request(Future<?> response, boolean endsWithMailbox) {
      this.response = response;
      this.endsWithMailbox = endsWithMailbox;
    }
  }

  private final Runnable wake;
  private final Set<Request> requests = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /**
   * Of an open mailbox.
   *
   * @param wake makes threads that wait elsewhere look at this
   */
  public Lifecycle(String name, MailboxClock clock, Runnable wake) {
    super(name, clock);
    this.wake = wake;
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Registers a request, so that closing cancels it; returns false if it is too late for that. */
  public boolean register(Request request) {
    // Before the look at the state: what closes meanwhile sees either the request or its absence.
    requests.add(request);
    boolean inTime = request.endsWithMailbox ? isOpen() : !stopped;
    if (!inTime) {
      requests.remove(request);
    }
    return inTime;
  }

  public void deregister(Request request) {
    requests.remove(request);
  }

  /** Waits; false if the mailbox stopped before the time was over. */
  boolean pause(Duration duration) throws InterruptedException {
    return !await(duration, this::isStopped);
  }

  /** Besides, ends receives and heartbeats. */
  @Override
  public boolean beginClosing() {
    boolean begins = super.beginClosing();
    if (begins) {
      cancel(requests.stream().filter(request -> request.endsWithMailbox).toList());
    }
    return begins;
  }

  /** Waits for running calls, at most the given time, and cancels the remaining ones. */
  public void finish(Duration atMost) {
    awaitEnds(atMost);
    stopped = true;
    wake();
    cancel(List.copyOf(requests));
    awaitEnds(WIND_DOWN);
  }

  private void cancel(List<Request> cancelled) {
    cancelled.forEach(request -> request.response.cancel(true));
    wake.run();
  }
}
