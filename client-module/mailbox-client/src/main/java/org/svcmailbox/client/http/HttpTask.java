package org.svcmailbox.client.http;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.RepeatedTask;

/**
 * A request to be made, as often as it takes.
 *
 * @param <A> the answer
 */
final class HttpTask<A> extends RepeatedTask<A> {
  private final byte @Nullable [] json;

  /**
   * A task that was not begun.
   *
   * @param json the body of its call; null for a GET
   */
  HttpTask(byte @Nullable [] json, int payloadBytes, long begun, long deadline) {
    super(payloadBytes, begun, deadline);
    this.json = json;
  }

  byte @Nullable [] json() {
    return json;
  }

  @Override
  protected long bytes() {
    return json == null ? 0 : json.length;
  }
}
