package org.svcmailbox.rendezvous;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.svcmailbox.core.rendezvous.PostOutcome;

/** Reads and stores the body of an admitted POST. */
final class PendingPost {
  /** Exceeds the server's own read timeout. */
  private static final Duration ASYNC_TIMEOUT = Duration.ofMinutes(1);

  private final Responder responder;
  private final Function<byte[], PostOutcome> store;

  PendingPost(Responder responder, Function<byte[], PostOutcome> store) {
    this.responder = responder;
    this.store = store;
  }

  /**
   * Reads the body and responds. Suspends the request if part of the body has not arrived.
   *
   * @param max the most bytes of the body
   */
  void begin(HttpServletRequest http, int max) throws IOException {
    long declared = http.getContentLengthLong();
    ServletInputStream input = http.getInputStream();
    boolean isChunked = http.getHeader("Transfer-Encoding") != null;
    if (declared <= 0 && !isChunked) {
      responder.respond(reply(new byte[0]));
    } else if (declared > 0 && input.available() >= declared) {
      responder.respond(reply(input.readNBytes((int) declared)));
    } else {
      AsyncContext context = http.startAsync();
      context.setTimeout(ASYNC_TIMEOUT.toMillis());
      input.setReadListener(new MessageBody(input, max, new Stored(context)));
    }
  }

  private Reply reply(byte[] body) {
    return responder.replies().of(store.apply(body));
  }

  private final class Stored implements MessageBody.Receiver {
    private final AsyncContext context;

    Stored(AsyncContext context) {
      this.context = context;
    }

    @Override
    public void received(byte[] body) {
      responder.respond(reply(body), context);
    }

    @Override
    public void tooLarge() {
      responder.respond(Reply.of(Refusal.BODY), context);
    }

    @Override
    public void broken() {
      context.complete();
    }
  }
}
