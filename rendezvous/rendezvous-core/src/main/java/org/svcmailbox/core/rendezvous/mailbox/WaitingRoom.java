package org.svcmailbox.core.rendezvous.mailbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A stripe's waiting GETs by recipient, in order of arrival. Guarded by the stripe. */
final class WaitingRoom {
  private final Map<RecipientKey, ArrayDeque<WaitingGet>> queues = new HashMap<>();

  private final PriorityQueue<WaitingGet> byDeadline =
      new PriorityQueue<>((one, other) -> Long.signum(one.deadline - other.deadline));

  void add(WaitingGet get) {
    queues.computeIfAbsent(get.key, key -> new ArrayDeque<>(1)).add(get);
    byDeadline.add(get);
  }

  /** Removes the GET that has waited longest; null if there is none. */
  @Nullable WaitingGet poll(RecipientKey recipient) {
    ArrayDeque<WaitingGet> queue = queues.get(recipient);
    if (queue == null) {
      return null;
    }
    WaitingGet get = queue.peek();
    return get != null && remove(get) ? get : null;
  }

  /** Removes a GET; false if it was not waiting. */
  boolean remove(WaitingGet get) {
    ArrayDeque<WaitingGet> queue = queues.get(get.key);
    if (queue == null || !queue.remove(get)) {
      return false;
    }
    if (queue.isEmpty()) {
      queues.remove(get.key);
    }
    byDeadline.remove(get);
    return true;
  }

  @Nullable WaitingGet pollDue(long now) {
    WaitingGet next = byDeadline.peek();
    return next != null && now - next.deadline >= 0 && remove(next) ? next : null;
  }

  List<WaitingGet> clear() {
    List<WaitingGet> all = new ArrayList<>(byDeadline);
    queues.clear();
    byDeadline.clear();
    return all;
  }

  int of(RecipientKey recipient) {
    ArrayDeque<WaitingGet> queue = queues.get(recipient);
    return queue == null ? 0 : queue.size();
  }

  int size() {
    return byDeadline.size();
  }
}
