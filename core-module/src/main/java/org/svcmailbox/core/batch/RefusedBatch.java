package org.svcmailbox.core.batch;

import static java.util.stream.Collectors.joining;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * A batch that the database refuses, which stops the projection of its worker.
 *
 * @param last the worker's last batch, which waits behind it
 * @param why the constraint and the table, in the database's words
 */
record RefusedBatch(Batch batch, BatchId last, String why) {
  private static final Logger LOG = System.getLogger(RefusedBatch.class.getName());

  /** How many ledgers an operator's message names; a batch can have 512. */
  private static final int MOST_NAMED = 3;

  WorkerId worker() {
    return batch.worker();
  }

  /**
   * Applies the pages that the database lacks and that continue their ledgers. If it refuses these,
   * applies only the keys, without which a repeated SEND would be accepted; if it refuses these
   * too, records the batch without pages.
   *
   * @param from the database's last batch of the worker
   * @throws UnavailableException when the database is away or has moved
   */
  void pass(ProjectionStore store, BatchId from) {
    List<StoredKeys> keys = newKeys(store);
    List<BatchPages> choices =
        List.of(
            new BatchPages(keys, continuing(store)),
            new BatchPages(keys, List.of()),
            new BatchPages(List.of(), List.of()));
    for (BatchPages pages : choices) {
      if (isApplied(store, from, new Batch(worker(), batch.id(), pages))) {
        LOG.log(
            Level.WARNING,
            "Of batch {0} of worker {1}, {2} bytes of {3} are in the database",
            batch.id().number(),
            worker(),
            pages.size(),
            batch.pages().size());
        return;
      }
    }
    throw new UnavailableException("the database refuses to note batch " + batch.id().number());
  }

  private List<StoredKeys> newKeys(ProjectionStore store) {
    long number = batch.id().number();
    return batch.pages().keys().stream()
        .filter(page -> store.entries(worker(), number, page.expiresAt()).length == 0)
        .toList();
  }

  private List<LedgerPage> continuing(ProjectionStore store) {
    Map<LedgerId, LedgerHead> heads = store.heads();
    return batch.pages().ledgers().stream()
        .filter(page -> page.firstSeq() > heads.getOrDefault(page.ledger(), LedgerHead.EMPTY).seq())
        .toList();
  }

  private static boolean isApplied(ProjectionStore store, BatchId from, Batch batch) {
    try {
      store.apply(List.of(new Advance(batch.worker(), from, List.of(batch))));
      return true;
    } catch (BatchRefusedException e) {
      return false;
    } catch (MovedException e) {
      throw new UnavailableException("ask again: " + e.getMessage(), e);
    }
  }

  /** For operators. */
  String detail() {
    return "the database refuses batch %d of worker %s (%s): %s"
        .formatted(batch.id().number(), batch.worker(), ledgers(), why);
  }

  private String ledgers() {
    List<LedgerPage> pages = batch.pages().ledgers();
    int more = pages.size() - MOST_NAMED;
    return pages.stream().limit(MOST_NAMED).map(RefusedBatch::ledger).collect(joining("; "))
        + (more > 0 ? ", and " + more + " more" : "");
  }

  private static String ledger(LedgerPage page) {
    return "ledger of topic id %d, shard %d, from number %d"
        .formatted(page.ledger().topicId(), page.ledger().shard(), page.firstSeq());
  }

  /** Identifies the situation: the refused batch, and the last one that waits behind it. */
  @Override
  public String toString() {
    return "%s: %s to %s refused".formatted(worker(), batch.id(), last);
  }
}
