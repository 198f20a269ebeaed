package org.svcmailbox.rendezvous;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.Right;

/** The path of one mailbox; runs the checks in the order of {@link Refusal}. */
final class MailboxEndpoint {
  static final String METHODS = "GET, POST, OPTIONS";

  private static final int DISCARD_BUFFER = 8 << 10;

  private final RendezvousService service;
  private final ClientAddresses clients;
  private final CrossOrigin crossOrigin;
  private final Replies replies;
  private final int maxMessageSize;

  MailboxEndpoint(RendezvousService service, DoorSettings settings) {
    this.service = service;
    this.clients = new ClientAddresses(settings);
    this.crossOrigin = new CrossOrigin(settings.origins());
    this.replies = new Replies(service);
    this.maxMessageSize = settings.maxMessageSize();
  }

  void serve(HttpServletRequest http, HttpServletResponse response, RecipientId recipient)
      throws IOException {
    crossOrigin.expose(http, response);
    switch (http.getMethod()) {
      case "OPTIONS" -> crossOrigin.preflight(http).writeTo(response);
      case "POST" -> post(http, responder(response, Right.POST), recipient);
      case "GET" -> get(http, responder(response, Right.GET), recipient);
      default -> Reply.of(Refusal.METHOD).with("Allow", METHODS).writeTo(response);
    }
  }

  private Responder responder(HttpServletResponse response, Right right) {
    return new Responder(response, new CallMetrics(service, right), replies);
  }

  private void post(HttpServletRequest http, Responder responder, RecipientId recipient)
      throws IOException {
    String encoding = http.getHeader("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      responder.respond(Reply.of(Refusal.ENCODING).with("Accept-Encoding", "identity"));
      return;
    }
    Optional<Duration> query = WaitQuery.none(http.getQueryString());
    if (admit(http, query, new Target(recipient, Right.POST), responder)
        instanceof AccessAnswer.Granted granted) {
      new PendingPost(responder, body -> service.post(granted.access(), recipient, body))
          .begin(http, maxMessageSize);
    }
  }

  private void get(HttpServletRequest http, Responder responder, RecipientId recipient)
      throws IOException {
    Optional<Duration> query = WaitQuery.wait(http.getQueryString());
    if (admit(http, query, new Target(recipient, Right.GET), responder)
        instanceof AccessAnswer.Granted granted) {
      discardBody(http);
      PendingGet.begin(
          http,
          responder,
          receiver -> service.get(granted.access(), recipient, query.orElseThrow(), receiver));
    }
  }

  /** The requested mailbox and the right it requires. */
  private record Target(RecipientId recipient, Right right) {}

  /** Runs the checks; responds and returns null on a refusal. */
  private @Nullable AccessAnswer admit(
      HttpServletRequest http, Optional<Duration> query, Target target, Responder responder) {
    Refusal crossSiteRefusal = crossSiteRefusal(http);
    if (crossSiteRefusal != null) {
      responder.respond(Reply.of(crossSiteRefusal));
      return null;
    }
    AccessAnswer answer = service.admit(request(http, query, target));
    if (!(answer instanceof AccessAnswer.Granted)) {
      responder.respond(replies.of(answer));
      return null;
    }
    if (query.isEmpty() || http.getContentLengthLong() > maxMessageSize) {
      responder.respond(Reply.of(query.isEmpty() ? Refusal.QUERY : Refusal.BODY));
      return null;
    }
    return answer;
  }

  /** Checked before the rate limit, so that a foreign page cannot use up its visitors' calls. */
  private @Nullable Refusal crossSiteRefusal(HttpServletRequest http) {
    if (!crossOrigin.admits(http)) {
      return Refusal.ORIGIN;
    }
    return CrossOrigin.isFetch(http) ? null : Refusal.FETCH_MODE;
  }

  private AccessRequest request(HttpServletRequest http, Optional<Duration> query, Target target) {
    return new AccessRequest(
        target.recipient(),
        target.right(),
        clients.of(http),
        BearerToken.of(http.getHeader("Authorization")),
        query.filter(wait -> !wait.isZero()).isPresent());
  }

  /**
   * Reads and discards a GET's body: while part of it is unread, the server cannot detect a
   * disconnect. The server has buffered the body already, so this does not block.
   */
  private static void discardBody(HttpServletRequest http) throws IOException {
    if (http.getContentLengthLong() > 0 || http.getHeader("Transfer-Encoding") != null) {
      ServletInputStream input = http.getInputStream();
      byte[] buffer = new byte[DISCARD_BUFFER];
      while (input.read(buffer) >= 0) {
        // Discarded.
      }
    }
  }
}
