package org.svcmailbox.client.service;

import org.jspecify.annotations.Nullable;

/**
 * One stream from its request to its end, over any protocol. Its state changes under the lock of
 * its feed.
 *
 * @param <M> the messages
 */
public abstract class StreamLink<M> {
  private final StreamTerms request;

  long begun;
  long lastSign;
  boolean isOpen;

  /** Whether it brought a message or a heartbeat. */
  boolean isUseful;

  @Nullable StreamEnding ending;
  @Nullable Throwable cause;

  /** A stream that was not asked for yet. */
  protected StreamLink(StreamTerms request) {
    this.request = request;
  }

  /** The terms of the stream. */
  public final StreamTerms request() {
    return request;
  }

  /** Reads on, if reading was held up. Runs under the lock of the feed and never waits. */
  protected abstract void more();

  /**
   * Grants credit, if the protocol has any. Runs under the lock of the feed and never waits.
   *
   * @param messages at least 1
   */
  protected void grant(int messages) {
    throw new UnsupportedOperationException("streams of this protocol have no credit");
  }
}
