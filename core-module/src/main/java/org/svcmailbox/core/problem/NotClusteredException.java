package org.svcmailbox.core.problem;

import java.time.Duration;

/** Nodes of a cluster cannot do this yet; nothing was changed. A server that is alone can. */
public final class NotClusteredException extends ReasonedOutage {
  /** The public reason. */
  public static final String REASON = "not_clustered";

  /** A repetition succeeds once another release or a server that is alone answers. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(60);

  private static final long serialVersionUID = 1L;

  public NotClusteredException() {
    super("several nodes cannot do this yet, and nothing was changed", REASON, RETRY_AFTER);
  }
}
