package org.svcmailbox.core.batch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.batch.StoreStanding.Verdict;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/**
 * Findings of this process that database and broker are not from the same moment (ADR 49), or that
 * a log is damaged (ADR 62). Of each kind only the first is kept. Any thread.
 */
public final class StoreMismatch {
  private static final Logger LOG = System.getLogger(StoreMismatch.class.getName());

  /** Kinds of findings besides those of {@link Verdict}. */
  enum Kind {
    /** The database refuses a batch of a log. */
    REFUSED,
    /** A ledger does not end where its last page does. */
    LEDGERS
  }

  private final Map<Enum<?>, String> findings = new ConcurrentHashMap<>();

  /** Keeps a finding, and logs the first one of its kind. */
  void found(Verdict kind, String detail) {
    if (findings.putIfAbsent(kind, detail) == null) {
      LOG.log(Level.ERROR, "{0}{1}", introduction(kind), detail);
    }
  }

  /** The beginning of a sentence that the finding's detail completes. */
  static String introduction(Verdict kind) {
    return kind == Verdict.LOG_DAMAGED
        ? "The broker lost a part of what it keeps: "
        : "Database and broker are not from the same moment: ";
  }

  /** Keeps a finding that an operator has accepted. */
  void accepted(Kind kind, String detail) {
    LOG.log(Level.WARNING, "An operator accepted the loss: {0}", detail);
    findings.putIfAbsent(kind, detail);
  }

  /** The findings, for operators; empty when there is none. */
  public String detail() {
    return String.join("; ", findings.values());
  }

  public List<Metric> metrics() {
    return List.of(Family.STORE_MISMATCH.of(() -> findings.isEmpty() ? 0 : 1));
  }
}
