package org.svcmailbox.core.route;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.delivery.ReadyService.Watch;

/**
 * The topics that one other node waits for. Each question has the whole list, of which only changes
 * reach the workers. A topic that has messages between two questions is in the answer to the next.
 * Any thread.
 */
final class ReadyAsker {
  private final ReadyService local;
  private final Map<ReadyKey, Watched> watches = new HashMap<>();
  private final Set<ReadyKey> ready = new LinkedHashSet<>();
  private CompletableFuture<List<ReadyKey>> open = completedFuture(List.of());
  private long number;

  /** A watch, which may report before it is known. */
  private static final class Watched {
    private @Nullable Watch watch;
  }

  ReadyAsker(ReadyService local) {
    this.local = local;
  }

  /** Ends the question before, without topics. */
  CompletableFuture<List<ReadyKey>> ask(ReadyQuestion question) {
    CompletableFuture<List<ReadyKey>> replaced;
    CompletableFuture<List<ReadyKey>> answer = new CompletableFuture<>();
    Map<ReadyKey, Watched> added = new HashMap<>();
    List<Watched> ended = new ArrayList<>();
    synchronized (this) {
      if (question.number() <= number) {
        return completedFuture(List.of());
      }
      number = question.number();
      replaced = open;
      open = answer;
      Set<ReadyKey> named = Set.copyOf(question.keys());
      ready.retainAll(named);
      watches
          .entrySet()
          .removeIf(one -> !named.contains(one.getKey()) && ended.add(one.getValue()));
      for (ReadyKey key : named) {
        if (!watches.containsKey(key) && !ready.contains(key)) {
          added.put(key, new Watched());
        }
      }
      watches.putAll(added);
    }
    boolean unused = replaced.complete(List.of());
    ended.forEach(ReadyAsker::cancel);
    added.forEach(this::watch);
    answer();
    return answer;
  }

  private void watch(ReadyKey key, Watched watched) {
    Watch watch = local.whenReady(key.topic(), key.shard(), () -> reported(key, watched));
    synchronized (this) {
      watched.watch = watch;
      if (watches.get(key) == watched) {
        return;
      }
    }
    watch.cancel();
  }

  private static void cancel(Watched watched) {
    Watch watch = watched.watch;
    if (watch != null) {
      watch.cancel();
    }
  }

  private void reported(ReadyKey key, Watched watched) {
    synchronized (this) {
      if (!watches.remove(key, watched)) {
        return;
      }
      ready.add(key);
    }
    answer();
  }

  /** Answers the open question with what has messages. */
  private void answer() {
    CompletableFuture<List<ReadyKey>> question;
    List<ReadyKey> found;
    synchronized (this) {
      if (ready.isEmpty() || open.isDone()) {
        return;
      }
      question = open;
      found = List.copyOf(ready);
      ready.clear();
    }
    if (!question.complete(found)) {
      synchronized (this) {
        // Its time was over, or another one replaced it.
        ready.addAll(found);
      }
      answer();
    }
  }

  /** The node is gone. */
  void end() {
    List<Watched> ended;
    synchronized (this) {
      ended = List.copyOf(watches.values());
      watches.clear();
    }
    ended.forEach(ReadyAsker::cancel);
  }

  synchronized int watched() {
    return watches.size();
  }
}
