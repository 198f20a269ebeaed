package org.svcmailbox.web.trace;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.problem.SchemaException;

/**
 * What ties the log lines of one request together: the {@code corr_id} of the message that it
 * sends, else what its client says, else one of ours. It stays in an attribute of the request,
 * where the part inside the web server finds it when something is logged. Any thread.
 */
public final class Correlation {
  /** The header by which a client names its request. */
  public static final String HEADER = "X-Correlation-Id";

  static final String ATTRIBUTE = "org.svcmailbox.corr_id";

  private final @Nullable String requested;
  private @Nullable CorrId id;

  private Correlation(@Nullable String requested) {
    this.requested = requested;
  }

  /** That of a request. */
  public static Correlation of(HttpServletRequest http) {
    if (http.getAttribute(ATTRIBUTE) instanceof Correlation known) {
      return known;
    }
    Correlation correlation = new Correlation(http.getHeader(HEADER));
    http.setAttribute(ATTRIBUTE, correlation);
    return correlation;
  }

  /** One that no client said anything about. */
  public static Correlation fresh() {
    return new Correlation(null);
  }

  /** The id; most requests never ask for it. */
  public synchronized CorrId id() {
    CorrId known = id;
    if (known == null) {
      known = resolve();
      id = known;
    }
    return known;
  }

  /**
   * The id of the one message that the request sends.
   *
   * @param named by its sender; from now on this is the request's too
   */
  public synchronized CorrId idOf(@Nullable CorrId named) {
    if (named != null) {
      id = named;
    }
    return id();
  }

  /** The id as it may stand in a line of the log. */
  @Override
  public String toString() {
    return LogText.of(id().value());
  }

  private CorrId resolve() {
    try {
      return requested != null ? new CorrId(requested) : CorrId.random();
    } catch (SchemaException e) {
      return CorrId.random();
    }
  }
}
