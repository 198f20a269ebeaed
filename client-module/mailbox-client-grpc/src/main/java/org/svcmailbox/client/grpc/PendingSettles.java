package org.svcmailbox.client.grpc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.proto.v1.Settled;

/**
 * The settlements of a stream without a result. The threads that wait for them limit their number.
 */
final class PendingSettles {
  /**
   * A settlement.
   *
   * @param id identifies it in the stream
   */
  record Pending(long id, CompletableFuture<Settled> result) {}

  private final Map<Long, CompletableFuture<Settled>> pending = new HashMap<>();
  private long last;
  private @Nullable Throwable end;

  /** Adds a settlement with an id of its own. It fails at once if the stream is over. */
  synchronized Pending add() {
    last++;
    CompletableFuture<Settled> result = new CompletableFuture<>();
    if (end != null) {
      result.completeExceptionally(end);
    } else {
      pending.put(last, result);
    }
    return new Pending(last, result);
  }

  synchronized void forget(long id) {
    pending.remove(id);
  }

  /** Passes a result on; a result that nobody waits for has no effect. */
  void settled(Settled settled) {
    CompletableFuture<Settled> result;
    synchronized (this) {
      result = pending.remove(settled.getId());
    }
    if (result != null) {
      result.complete(settled);
    }
  }

  /** Fails all settlements, because no more results come. */
  void over(Throwable why) {
    List<CompletableFuture<Settled>> open;
    synchronized (this) {
      end = why;
      open = List.copyOf(pending.values());
      pending.clear();
    }
    open.forEach(result -> result.completeExceptionally(why));
  }
}
