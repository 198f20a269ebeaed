package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.time.Ticker;

/** Answers the questions of other nodes for topics with messages. Any thread. */
final class ReadyAnswers {
  /** The most nodes that ask; then the one that has been silent for longest is forgotten. */
  static final int MOST_ASKERS = 128;

  /** A node that has been silent for so long is forgotten. */
  static final Duration SILENT = Duration.ofSeconds(30);

  private final ReadyService local;
  private final Ticker ticker;

  /** The order is that of their last questions. */
  private final Map<Long, Known> askers = new LinkedHashMap<>();

  private record Known(ReadyAsker asker, long askedAt) {}

  ReadyAnswers(ReadyService local, Ticker ticker) {
    this.local = local;
    this.ticker = ticker;
  }

  /**
   * Answers a question once a topic has messages; with none if a newer question comes, or after
   * some seconds.
   */
  CompletableFuture<List<ReadyKey>> answer(ReadyQuestion question) {
    return asker(question.asker())
        .ask(question)
        .completeOnTimeout(List.of(), PeerCalls.LONGEST.toNanos(), TimeUnit.NANOSECONDS);
  }

  private ReadyAsker asker(long name) {
    List<ReadyAsker> gone = new ArrayList<>();
    ReadyAsker asker;
    synchronized (askers) {
      long now = ticker.nanos();
      Known before = askers.remove(name);
      asker = before == null ? new ReadyAsker(local) : before.asker();
      askers.put(name, new Known(asker, now));
      Iterator<Known> oldest = askers.values().iterator();
      Known next = oldest.next();
      while (askers.size() > MOST_ASKERS || now - next.askedAt() > SILENT.toNanos()) {
        oldest.remove();
        gone.add(next.asker());
        next = oldest.next();
      }
    }
    gone.forEach(ReadyAsker::end);
    return asker;
  }

  /** How many topics are watched for all nodes. */
  int watched() {
    Collection<Known> all;
    synchronized (askers) {
      all = List.copyOf(askers.values());
    }
    return all.stream().mapToInt(known -> known.asker().watched()).sum();
  }
}
