package org.svcmailbox.outbox.inbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages that are held, in the order of their lanes. Thread-safe. */
final class Lanes {
  /** The messages of a lane that has enough: one is handled, and the next one is there. */
  private static final int ENOUGH = 2;

  /** Lanes that are remembered without a message; a topic has no more shards. */
  private static final int MAX_KNOWN = 256;

  private final Map<Integer, Deque<Delivery>> lanes = new HashMap<>();
  private int held;

  /** Adds a message. Returns whether it is the only one of its lane, which nobody works on then. */
  synchronized boolean add(Delivery delivery) {
    held++;
    Deque<Delivery> lane = lanes.computeIfAbsent(delivery.lane(), number -> new ArrayDeque<>());
    lane.add(delivery);
    return lane.size() == 1;
  }

  /** Lets the first message of a lane go, and returns the next; null if there is none. */
  synchronized @Nullable Delivery next(Delivery done) {
    held--;
    Deque<Delivery> lane = lanes.getOrDefault(done.lane(), new ArrayDeque<>());
    lane.poll();
    if (lane.isEmpty() && lanes.size() > MAX_KNOWN) {
      lanes.remove(done.lane());
    }
    return lane.peek();
  }

  /** How many messages the known lanes lack; 1 if no lane is known. */
  synchronized int lacking() {
    if (lanes.isEmpty()) {
      return 1;
    }
    return lanes.values().stream().mapToInt(lane -> Math.max(0, ENOUGH - lane.size())).sum();
  }

  /** How many messages are held. */
  synchronized int held() {
    return held;
  }
}
