package org.svcmailbox.client.service;

import java.util.Locale;
import java.util.Set;

/** The reason why a stream ended, and its consequences. */
public enum StreamEnding {
  /** The service closes old streams. */
  AGE(Next.REOPEN_LATER),
  /** The service found its output unread for long. */
  SLOW(Next.REOPEN_LATER),
  ERROR(Next.REOPEN_LATER),
  /** The node stops: another one may answer. */
  DRAIN(Next.REOPEN_LATER),
  CAPABILITY(Next.REFUSE),
  TOPIC(Next.REFUSE),
  /** The connection ended without an {@code end}. */
  CUT(Next.REOPEN_LATER),
  /** Not even a heartbeat came. */
  SILENT(Next.REOPEN_LATER),
  /** A line is none of the service's. */
  UNREADABLE(Next.FAIL),
  /** Messages might come, and nobody receives. */
  UNATTENDED(Next.REOPEN),
  /** Receives want another window or other leases. */
  RESHAPED(Next.REOPEN),
  /** Messages lay unread for too long: the window is too wide. */
  STALE(Next.REOPEN),
  /** The mailbox closes. */
  CLOSED(Next.REOPEN);

  /** The step after an end, if somebody still receives. */
  enum Next {
    REOPEN,
    /** After a random pause, which grows with each time. */
    REOPEN_LATER,
    /** Receives throw what RECV would. */
    REFUSE,
    /** Receives throw that the stream cannot be read. */
    FAIL
  }

  private static final Set<StreamEnding> SAID = Set.of(AGE, SLOW, ERROR, DRAIN, CAPABILITY, TOPIC);

  /** The node forgets its streams, or refuses to resume them. */
  private static final Set<StreamEnding> FINAL = Set.of(DRAIN, CAPABILITY, TOPIC);

  private final Next next;

  StreamEnding(Next next) {
    this.next = next;
  }

  Next next() {
    return next;
  }

  /** Whether a stream that ended so cannot be resumed: nothing brings its unread messages again. */
  boolean isFinal() {
    return FINAL.contains(this);
  }

  /** The ending of a reason that the service says; a reason of a later service is an error. */
  public static StreamEnding of(String reason) {
    return SAID.stream()
        .filter(ending -> ending.name().toLowerCase(Locale.ROOT).equals(reason))
        .findAny()
        .orElse(ERROR);
  }
}
