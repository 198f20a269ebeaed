package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditLog;

/**
 * Counts denied calls and failed sign-ins for the audit, which gets one entry per kind. Beyond
 * {@link #MOST} kinds, those with the same reason are counted together, so that strangers write a
 * bounded number of entries. Any thread.
 */
final class DenialCounts {
  /** The most kinds of an action between two writes, besides one for each reason. */
  static final int MOST = 100;

  /** The same for {@link #SIGN_IN_FAILED}, which strangers can make up names for. */
  static final int MOST_SIGN_INS = 5;

  static final String SIGN_IN_FAILED = "console.signin_failed";

  /** The actor of calls without a genuine capability. */
  static final Actor STRANGER = new Actor("stranger", null);

  /** The actor of kinds beyond {@link #MOST}. */
  static final Actor OTHERS = new Actor("others", null);

  private record Kind(Actor actor, String address, String action, String reason) {}

  private final Map<Kind, Long> counts = new LinkedHashMap<>();

  /**
   * Counts one event.
   *
   * @param reason one of a few constants
   */
  void count(Actor actor, @Nullable InetAddress address, String action, String reason) {
    String from = address == null ? "" : address.getHostAddress();
    add(new Kind(actor, from, action, reason), 1);
  }

  private synchronized void add(Kind kind, long times) {
    int most = kind.action().equals(SIGN_IN_FAILED) ? MOST_SIGN_INS : MOST;
    boolean hasRoom = counts.containsKey(kind) || kinds(kind.action()) < most;
    Kind counted = hasRoom ? kind : new Kind(OTHERS, "", kind.action(), kind.reason());
    counts.merge(counted, times, Long::sum);
  }

  /** Each action has its own room, so that denied calls do not hide who failed to sign in. */
  private long kinds(String action) {
    return counts.keySet().stream().filter(kind -> kind.action().equals(action)).count();
  }

  private synchronized Map<Kind, Long> take() {
    Map<Kind, Long> taken = new LinkedHashMap<>(counts);
    counts.clear();
    return taken;
  }

  /**
   * Writes one entry for each kind.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if the database is away; what was not
   *     written stays counted
   */
  void writeTo(AuditLog audit, Instant now) {
    List<Map.Entry<Kind, Long>> left = new ArrayList<>(take().entrySet());
    try {
      while (!left.isEmpty()) {
        Map.Entry<Kind, Long> next = left.get(0);
        audit.note(entry(next.getKey(), next.getValue(), now));
        left.remove(0);
      }
    } finally {
      left.forEach(unwritten -> add(unwritten.getKey(), unwritten.getValue()));
    }
  }

  private static AuditEntry entry(Kind kind, long times, Instant now) {
    String note = times == 1 ? "once" : times + " times";
    return new AuditEntry(now, kind.actor(), kind.address(), kind.action(), kind.reason(), note);
  }
}
