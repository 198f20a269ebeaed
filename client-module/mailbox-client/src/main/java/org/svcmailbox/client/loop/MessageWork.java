package org.svcmailbox.client.loop;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Message;

/** A handler of plain messages. */
record MessageWork<T, R>(MessageHandler<T, R> handler) implements Work<T, R> {
  @Override
  public @Nullable R run(Message<T, R> message) throws Exception {
    return handler.handle(message);
  }

  @Override
  public @Nullable TimeLimit limit(Message<T, R> message) {
    return null;
  }

  @Override
  public @Nullable R failure(Message<T, R> message, String error) {
    return null;
  }
}
