package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** CORS: which origins may call, and the headers for browsers. */
final class CrossOrigin {
  private static final String ANY = "*";
  private static final Set<String> FETCH_MODES = Set.of("cors", "same-origin");
  private static final String EXPOSED = "X-Message-Sequence, X-Queue-Length, Retry-After";

  private final Set<String> origins;

  /**
   * @param origins the allowed origins; {@code *} allows any
   */
  CrossOrigin(List<String> origins) {
    this.origins = Set.copyOf(origins);
  }

  /** Whether the request's origin may call; a request without an origin may. */
  boolean admits(HttpServletRequest http) {
    String origin = http.getHeader("Origin");
    return origin == null || isListed(origin);
  }

  private boolean isListed(String origin) {
    return origins.contains(ANY) || origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Whether the request is a script's fetch, or carries no fetch metadata. */
  static boolean isFetch(HttpServletRequest http) {
    String mode = http.getHeader("Sec-Fetch-Mode");
    return mode == null || FETCH_MODES.contains(mode);
  }

  /** Lets an allowed origin read the response, whatever its status. */
  void expose(HttpServletRequest http, HttpServletResponse response) {
    response.setHeader("Vary", "Origin");
    String origin = http.getHeader("Origin");
    if (origin != null && isListed(origin)) {
      response.setHeader("Access-Control-Allow-Origin", allowed(origin));
      response.setHeader("Access-Control-Expose-Headers", EXPOSED);
    }
  }

  private String allowed(String origin) {
    return origins.contains(ANY) ? ANY : origin;
  }

  /** Answers OPTIONS; only an allowed origin learns the methods and headers. */
  Reply preflight(HttpServletRequest http) {
    Reply reply =
        Reply.of(HttpServletResponse.SC_NO_CONTENT).with("Allow", MailboxEndpoint.METHODS);
    String origin = http.getHeader("Origin");
    return origin != null && isListed(origin)
        ? reply
            .with("Access-Control-Allow-Methods", "GET, POST")
            .with("Access-Control-Allow-Headers", "Authorization, Content-Type")
            .with("Access-Control-Max-Age", "600")
        : reply;
  }
}
