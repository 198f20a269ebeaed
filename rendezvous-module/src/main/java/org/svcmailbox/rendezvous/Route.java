package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.svcmailbox.core.rendezvous.RecipientId;

/** The target of a request's URI, as it was sent: nothing in it is unescaped. */
sealed interface Route {
  /** The most bytes of a path with its query. */
  int MAX_URI = 1_024;

  /** The path of mailboxes, before the recipient. */
  String MAILBOXES = "/v1/mailbox/";

  /** A recipient's mailbox. */
  record Mailbox(RecipientId recipient) implements Route {}

  /** {@code /health}. */
  record Health() implements Route {}

  /** {@code /metrics}. */
  record Metrics() implements Route {}

  /** A URI over {@link #MAX_URI} bytes. */
  record TooLong() implements Route {}

  /** Anything else. */
  record Unknown() implements Route {}

  /** The route of a request. */
  static Route of(HttpServletRequest http) {
    return of(http.getRequestURI(), Optional.ofNullable(http.getQueryString()).orElse(""));
  }

  /** The route of a path and a query, which may be empty. */
  static Route of(String path, String query) {
    int bytes = path.length() + (query.isEmpty() ? 0 : 1 + query.length());
    if (bytes > MAX_URI) {
      return new TooLong();
    }
    return switch (path) {
      case "/health" -> new Health();
      case "/metrics" -> new Metrics();
      default -> mailbox(path);
    };
  }

  private static Route mailbox(String path) {
    Optional<RecipientId> recipient =
        path.startsWith(MAILBOXES)
            ? RecipientId.parse(path.substring(MAILBOXES.length()))
            : Optional.empty();
    return recipient.<Route>map(Mailbox::new).orElseGet(Unknown::new);
  }
}
