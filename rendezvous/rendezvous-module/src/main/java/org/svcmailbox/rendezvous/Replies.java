package org.svcmailbox.rendezvous;

import static jakarta.servlet.http.HttpServletResponse.SC_ACCEPTED;
import static jakarta.servlet.http.HttpServletResponse.SC_NO_CONTENT;

import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RendezvousService;

/** Converts the core's outcomes to responses. */
final class Replies {
  private final RendezvousService service;

  Replies(RendezvousService service) {
    this.service = service;
  }

  Reply of(AccessAnswer refused) {
    if (refused instanceof AccessAnswer.Limited limited) {
      return Reply.of(Refusal.RATE, limited.retryAfter());
    }
    if (refused instanceof AccessAnswer.Unauthorized) {
      return Reply.of(Refusal.NO_TOKEN);
    }
    if (refused instanceof AccessAnswer.Unavailable) {
      return later(Refusal.REVOCATION);
    }
    return Reply.of(refused instanceof AccessAnswer.Blocked ? Refusal.BLOCKED : Refusal.TOKEN);
  }

  Reply of(PostOutcome outcome) {
    return switch (outcome) {
      case STORED -> Reply.of(SC_ACCEPTED);
      case MAILBOX_FULL -> Reply.of(Refusal.MAILBOX_FULL, PostOutcome.RETRY_AFTER);
      case SENDER_FULL -> later(Refusal.SENDER_FULL);
      case FULL -> later(Refusal.FULL);
      case CLOSING -> later(Refusal.STOPPING);
    };
  }

  /** The response to a GET without a message. */
  Reply of(GetOutcome outcome) {
    if (outcome instanceof GetOutcome.Revoked) {
      return Reply.of(Refusal.TOKEN);
    }
    if (outcome instanceof GetOutcome.TooManyWaiters) {
      return later(Refusal.WAITERS);
    }
    if (outcome instanceof GetOutcome.Full) {
      return later(Refusal.FULL);
    }
    return outcome instanceof GetOutcome.Closing
        ? later(Refusal.STOPPING)
        : Reply.of(SC_NO_CONTENT);
  }

  private Reply later(Refusal refusal) {
    return Reply.of(refusal, service.retryAfter());
  }
}
