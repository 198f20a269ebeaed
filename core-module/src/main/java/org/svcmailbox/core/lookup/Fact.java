package org.svcmailbox.core.lookup;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.MessageEvent;

/**
 * Something that happened to a message, or its state.
 *
 * @param at wall-clock time; null if that is not known
 * @param recorded whether it was stored; else it follows from other facts
 * @param attempt the delivery that it is about; null for none
 * @param by the nonce of the capability; null if there is none or the caller may not know
 * @param note for people; empty for none
 */
public record Fact(
    Kind kind,
    @Nullable Instant at,
    boolean recorded,
    @Nullable Integer attempt,
    @Nullable String by,
    String note) {
  /** The kinds of facts. Their texts are public. */
  public enum Kind {
    SENT,
    /** It is an entry of its shard's ledger. */
    LEDGER,
    NACKED,
    EXPIRED,
    REPROCESSED,
    LEASED,
    SCHEDULED,
    READY,
    DEAD,
    ACKED,
    GONE;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Fact of(MessageEvent event) {
    Kind kind =
        switch (event.kind()) {
          case NACKED -> Kind.NACKED;
          case EXPIRED -> Kind.EXPIRED;
          case REDRIVEN -> Kind.REPROCESSED;
        };
    String by = event.by() == null ? null : event.by().nonce();
    return new Fact(kind, event.at(), true, event.attempt(), by, event.note());
  }

  /** A stored fact without holder. */
  public static Fact recorded(Kind kind, @Nullable Instant at, int attempt, String note) {
    return new Fact(kind, at, true, attempt, null, note);
  }

  /** The same for callers who may not know who did it. */
  Fact withoutHolder() {
    return new Fact(kind, at, recorded, attempt, null, note);
  }

  /** The same for callers who may not read the reasons of consumers. */
  Fact withoutNote() {
    return new Fact(kind, at, recorded, attempt, by, "");
  }
}
