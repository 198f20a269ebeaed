package org.svcmailbox.client.verify;

import java.util.Iterator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks a shard's ledger entry by entry, in constant memory.
 *
 * <p>A ledger that begins at 1 continues zeros. A trimmed ledger begins at a later entry. Its first
 * link is checked against the anchor before it; without an anchor it is trusted. Not thread-safe.
 */
public final class LedgerVerifier {
  private static final String ZEROS = "b3:" + "0".repeat(2 * FramedDigest.BYTES);

  private final TreeMap<Long, String> anchors = new TreeMap<>();
  private long first;
  private long last;
  private @Nullable String link;
  private boolean anchored;
  private LedgerCheck.@Nullable BrokenAt broken;

  /**
   * A verifier without entries.
   *
   * @throws IllegalArgumentException if two anchors with one number have different links
   */
  public LedgerVerifier(Iterable<LedgerAnchor> anchors) {
    for (LedgerAnchor anchor : anchors) {
      String other = this.anchors.putIfAbsent(anchor.seq(), anchor.link());
      if (other != null && !other.equals(anchor.link())) {
        throw new IllegalArgumentException("two anchors for entry " + anchor.seq() + " differ");
      }
    }
  }

  /** Checks a whole ledger. */
  public static LedgerCheck check(Iterable<ExportedEntry> entries, Iterable<LedgerAnchor> anchors) {
    LedgerVerifier verifier = new LedgerVerifier(anchors);
    Iterator<ExportedEntry> each = entries.iterator();
    while (each.hasNext() && verifier.accept(each.next())) {}
    return verifier.verdict();
  }

  /**
   * Checks the next entry.
   *
   * @return false if the ledger is broken here or before
   */
  public boolean accept(ExportedEntry entry) {
    if (broken == null) {
      String why = why(entry);
      if (why != null) {
        broken = new LedgerCheck.BrokenAt(link == null ? entry.seq() : last + 1, why);
      } else {
        first = link == null ? entry.seq() : first;
        last = entry.seq();
        link = entry.link();
      }
    }
    return broken == null;
  }

  /** The result for all entries so far. An anchor beyond the last entry is a missing entry. */
  public LedgerCheck verdict() {
    if (broken != null) {
      return broken;
    }
    if (!anchors.isEmpty() && anchors.lastKey() > last) {
      String why = "the ledger ends before the anchor at " + anchors.lastKey();
      return new LedgerCheck.BrokenAt(last + 1, why);
    }
    return new LedgerCheck.Intact(first, last, anchored);
  }

  /** The fault of an entry; null if it has none. */
  private @Nullable String why(ExportedEntry entry) {
    if (link != null && entry.seq() != last + 1) {
      return "entry " + entry.seq() + " follows entry " + last;
    }
    if (entry.seq() < 1) {
      return "entries are numbered from 1";
    }
    String previous = link != null ? link : before(entry.seq());
    try {
      FramedDigest.parse(entry.link());
      if (previous != null && !entry.expectedLink(previous).equals(entry.link())) {
        return "the link does not follow from the entry before";
      }
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    String anchor = anchors.get(entry.seq());
    if (anchor != null && !anchor.equals(entry.link())) {
      return "the link is not the anchor's";
    }
    anchored |= anchor != null || (link == null && anchors.containsKey(entry.seq() - 1));
    return null;
  }

  private @Nullable String before(long firstSeq) {
    return firstSeq == 1 ? ZEROS : anchors.get(firstSeq - 1);
  }
}
