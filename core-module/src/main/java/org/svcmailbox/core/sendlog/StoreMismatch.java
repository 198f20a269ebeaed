package org.svcmailbox.core.sendlog;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.sendlog.LogStanding.Verdict;

/**
 * Findings of this process that database and broker are not from the same moment (ADR 49). The
 * first one of a kind stands for all of it. Any thread.
 */
public final class StoreMismatch {
  private static final Logger LOG = System.getLogger(StoreMismatch.class.getName());

  private final Map<Verdict, String> findings = new ConcurrentHashMap<>();

  /** Keeps a finding, and logs the first of its kind. */
  void found(Verdict kind, String detail) {
    if (findings.putIfAbsent(kind, detail) == null) {
      LOG.log(Level.ERROR, "Database and broker do not belong together: {0}", detail);
    }
  }

  /** The findings, in an operator's words; empty when there is none. */
  public String detail() {
    return String.join("; ", findings.values());
  }

  public List<Metric> metrics() {
    return List.of(Family.STORE_MISMATCH.of(() -> findings.isEmpty() ? 0 : 1));
  }
}
