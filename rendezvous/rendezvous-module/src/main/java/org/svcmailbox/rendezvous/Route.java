package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.svcmailbox.core.rendezvous.RecipientId;

/** The target of a request, matched against the raw, undecoded URI. */
sealed interface Route {
  /** The maximum length of path and query, in bytes. */
  int MAX_URI = 1_024;

  /** The path prefix of mailboxes. */
  String MAILBOXES = "/v1/mailbox/";

  record Mailbox(RecipientId recipient) implements Route {}

  record Health() implements Route {}

  record Metrics() implements Route {}

  /** A URI longer than {@link #MAX_URI} bytes. */
  record TooLong() implements Route {}

  /** Any other path. */
  record Unknown() implements Route {}

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
