package org.svcmailbox.rendezvous;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Writes short responses and records them in the metrics. */
final class Responder {
  private static final Logger LOG = System.getLogger(Responder.class.getName());

  private final HttpServletResponse response;
  private final CallMetrics call;
  private final Replies replies;

  Responder(HttpServletResponse response, CallMetrics call, Replies replies) {
    this.response = response;
    this.call = call;
    this.replies = replies;
  }

  Replies replies() {
    return replies;
  }

  HttpServletResponse response() {
    return response;
  }

  CallMetrics call() {
    return call;
  }

  /** Responds on the request's own thread. */
  void respond(Reply reply) {
    try {
      reply.writeTo(response);
      call.answered(reply.status());
    } catch (IOException e) {
      // The client has disconnected.
      LOG.log(Level.DEBUG, "Could not write a response: {0}", e.toString());
    }
  }

  /** Responds to a suspended request and completes it. Any thread. */
  void respond(Reply reply, AsyncContext context) {
    try {
      respond(reply);
    } finally {
      context.complete();
    }
  }
}
