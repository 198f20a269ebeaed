package org.svcmailbox.rendezvous;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.Handover;

/**
 * A suspended GET. It ends with the core's outcome or with the client's disconnect, whichever comes
 * first; a disconnect abandons the core's request.
 */
final class PendingGet implements Consumer<GetOutcome>, AsyncListener {
  /** A safety net only: it exceeds the core's wait and the server's limit on slow readers. */
  private static final Duration ASYNC_TIMEOUT = DoorSettings.MAX_WAIT.plusMinutes(1);

  /** Requests a message; returns the action that abandons the request. */
  interface Source {
    Runnable get(Consumer<GetOutcome> receiver);
  }

  private final HttpServletRequest http;
  private final Responder responder;
  private final AsyncContext context;
  private final AtomicBoolean isDecided = new AtomicBoolean();
  private volatile @Nullable Handover handover;
  private volatile @Nullable Runnable abandon;

  private PendingGet(HttpServletRequest http, Responder responder) {
    this.http = http;
    this.responder = responder;
    this.context = http.startAsync();
  }

  /** Suspends a request until the source has an outcome. */
  static void begin(HttpServletRequest http, Responder responder, Source source) {
    PendingGet pending = new PendingGet(http, responder);
    pending.context.setTimeout(ASYNC_TIMEOUT.toMillis());
    pending.context.addListener(pending);
    pending.abandon = source.get(pending);
    Peer.whenGone(http, pending::hungUp);
  }

  @Override
  public void accept(GetOutcome outcome) {
    boolean isFirst = isDecided.compareAndSet(false, true);
    if (outcome instanceof GetOutcome.Found found) {
      if (isFirst) {
        send(found.handover());
      } else {
        found.handover().failed();
      }
    } else if (isFirst) {
      responder.respond(responder.replies().of(outcome), context);
    }
  }

  private void send(Handover message) {
    handover = message;
    boolean isReported = SentReport.request(http, sent -> settle(message, sent));
    HttpServletResponse response = responder.response();
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType("application/octet-stream");
    response.setContentLength(message.body().length);
    response.setHeader("X-Message-Sequence", Long.toString(message.sequence()));
    response.setHeader("X-Queue-Length", Integer.toString(message.remaining()));
    try {
      MessageWriter.begin(
          response.getOutputStream(),
          message.body(),
          written -> written(message, written, isReported));
    } catch (IOException | RuntimeException e) {
      // The server is stopping, or the client has disconnected.
      written(message, false, isReported);
    }
  }

  /** Called when the stream has accepted the message or has failed. */
  private void written(Handover message, boolean isTaken, boolean isReported) {
    if (!isTaken || !isReported) {
      settle(message, isTaken);
    }
    context.complete();
  }

  private void settle(Handover message, boolean isWritten) {
    if (isWritten) {
      message.written();
      responder.call().answered(HttpServletResponse.SC_OK);
    } else {
      message.failed();
    }
  }

  private void hungUp() {
    if (forget()) {
      responder.response().setStatus(HttpServletResponse.SC_NO_CONTENT);
      context.complete();
    }
  }

  private boolean forget() {
    boolean isFirst = isDecided.compareAndSet(false, true);
    Runnable forgotten = abandon;
    if (isFirst && forgotten != null) {
      forgotten.run();
    }
    return isFirst;
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    onError(event);
  }

  @Override
  public void onError(AsyncEvent event) {
    Handover begun = handover;
    if (!forget() && begun != null) {
      begun.failed();
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // The message is already settled.
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Never called: a request is suspended once.
  }
}
