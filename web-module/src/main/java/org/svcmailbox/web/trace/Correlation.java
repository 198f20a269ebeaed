package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.refusal.LogText;

/**
 * The correlation id of a request: the {@code corr_id} of its message, else the client's header,
 * else a generated one. A request attribute holds it for the Undertow extension, which adds it to
 * log lines. Any thread.
 */
public final class Correlation {
  /** The request header with the client's id. */
  public static final String HEADER = "X-Correlation-Id";

  static final String ATTRIBUTE = "org.svcmailbox.corr_id";

  private final @Nullable String requested;
  private @Nullable CorrId id;

  private Correlation(@Nullable String requested) {
    this.requested = requested;
  }

  public static Correlation of(HttpServletRequest http) {
    if (http.getAttribute(ATTRIBUTE) instanceof Correlation known) {
      return known;
    }
    Correlation correlation = new Correlation(http.getHeader(HEADER));
    http.setAttribute(ATTRIBUTE, correlation);
    return correlation;
  }

  /** A correlation without an id of the client. */
  public static Correlation fresh() {
    return new Correlation(null);
  }

  /** Returns the id; generates it on first use, because most requests never log. */
  public synchronized CorrId id() {
    CorrId known = id;
    if (known == null) {
      known = CorrId.orRandom(requested);
      id = known;
    }
    return known;
  }

  /**
   * Returns the id of the only message that the request sends.
   *
   * @param named the sender's id, which becomes the request's id
   */
  public synchronized CorrId idOf(@Nullable CorrId named) {
    if (named != null) {
      id = named;
    }
    return id();
  }

  /** The id, escaped for the log. */
  @Override
  public String toString() {
    return LogText.of(id().value());
  }
}
