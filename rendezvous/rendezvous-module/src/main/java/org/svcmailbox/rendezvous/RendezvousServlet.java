package org.svcmailbox.rendezvous;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.PrometheusText;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.RendezvousService;

/**
 * Serves every path of the rendezvous door. The server creates it at start-up, which begins the
 * uptime.
 */
@WebServlet(name = "rendezvous", urlPatterns = "/*", asyncSupported = true, loadOnStartup = 1)
public final class RendezvousServlet extends HttpServlet {
  private static final Logger LOG = System.getLogger(RendezvousServlet.class.getName());
  private static final long serialVersionUID = 1L;

  private final transient RendezvousService service;
  private final long began = System.nanoTime();
  private transient volatile @Nullable Handlers handlers;

  @Inject
  public RendezvousServlet(RendezvousService service) {
    this.service = service;
  }

  /** The handlers while the door is on. */
  private record Handlers(
      RendezvousService service,
      MailboxEndpoint mailboxes,
      HealthPage health,
      ClientAddresses clients) {}

  @Override
  protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    try {
      serve(http, response);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "A rendezvous request failed", e);
      if (!response.isCommitted() && !http.isAsyncStarted()) {
        Reply.of(Refusal.FAILED).writeTo(response);
      } else {
        throw e;
      }
    }
  }

  private void serve(HttpServletRequest http, HttpServletResponse response) throws IOException {
    Optional<Handlers> open = handlers();
    Route route = Route.of(http);
    if (!isFramed(http)) {
      Reply.of(Refusal.FRAMING).writeTo(response);
    } else if (route instanceof Route.TooLong) {
      Reply.of(Refusal.URI_TOO_LONG).writeTo(response);
    } else if (open.isEmpty() || route instanceof Route.Unknown) {
      Reply.of(Refusal.UNKNOWN_PATH).writeTo(response);
    } else if (route instanceof Route.Mailbox mailbox) {
      open.get().mailboxes().serve(http, response, mailbox.recipient());
    } else {
      page(open.get(), route, http).writeTo(response);
    }
  }

  /** With any other encoding, the server would parse the body as the next request. */
  private static boolean isFramed(HttpServletRequest http) {
    String encoding = http.getHeader("Transfer-Encoding");
    return encoding == null || encoding.equalsIgnoreCase("chunked");
  }

  private Reply page(Handlers open, Route route, HttpServletRequest http) {
    boolean isMetrics = route instanceof Route.Metrics;
    if (isMetrics && !open.clients().mayReadMetrics(http)) {
      return Reply.of(Refusal.UNKNOWN_PATH);
    }
    if (!http.getMethod().equals("GET")) {
      return Reply.of(Refusal.METHOD).with("Allow", "GET");
    }
    return isMetrics
        ? Reply.of(HttpServletResponse.SC_OK, PrometheusText.CONTENT_TYPE, open.service().metrics())
        : open.health().reply();
  }

  /**
   * Resolved on the first call, because during deployment a bean call would wait for all start-up
   * beans.
   */
  private Optional<Handlers> handlers() {
    Handlers known = handlers;
    if (known != null) {
      return Optional.of(known);
    }
    RendezvousService plain = service.plain();
    Optional<Handlers> found = plain.settings().map(settings -> open(plain, settings));
    found.ifPresent(first -> handlers = first);
    return found;
  }

  private Handlers open(RendezvousService plain, DoorSettings settings) {
    return new Handlers(
        plain,
        new MailboxEndpoint(plain, settings),
        new HealthPage(
            plain,
            OpenConnections.of(getServletContext()),
            () -> Duration.ofNanos(System.nanoTime() - began)),
        new ClientAddresses(settings));
  }
}
