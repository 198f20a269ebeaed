package org.svcmailbox.outbox.inbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A topic whose messages a test makes. */
public final class ScriptedConsumer implements EventConsumer {
  private final LinkedBlockingQueue<Delivery> ready = new LinkedBlockingQueue<>();
  private final List<String> acknowledged = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private final List<Integer> batches = new ArrayList<>();
  private final Set<String> lost = new HashSet<>();
  private boolean isAway;
  private final Queue<RuntimeException> failures = new ArrayDeque<>();
  private int fetched;

  void add(Delivery delivery) {
    ready.add(delivery);
  }

  synchronized void goAway() {
    isAway = true;
  }

  synchronized void comeBack() {
    isAway = false;
  }

  @Override
  public List<Delivery> fetch(int batch) throws InterruptedException {
    failIfBroken();
    List<Delivery> fetched = new ArrayList<>();
    Delivery first = ready.poll(20, TimeUnit.MILLISECONDS);
    if (first != null) {
      fetched.add(first);
      ready.drainTo(fetched, batch - 1);
      note(batch, fetched.size());
    }
    return fetched;
  }

  synchronized void failNextFetches(RuntimeException... next) {
    failures.addAll(List.of(next));
  }

  private synchronized void failIfBroken() {
    RuntimeException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized void note(int batch, int count) {
    batches.add(batch);
    fetched += count;
  }

  /** The lease of a message runs out. */
  synchronized void lose(String msgId) {
    lost.add(msgId);
  }

  @Override
  public synchronized boolean holds(Delivery message) {
    return !lost.contains(message.msgId());
  }

  @Override
  public synchronized void ack(Delivery message) {
    requireHere();
    acknowledged.add(message.msgId());
    notifyAll();
  }

  @Override
  public synchronized void nak(Refused message) {
    requireHere();
    refused.add(message);
    notifyAll();
  }

  private void requireHere() {
    if (isAway) {
      throw new ConsumerException("away", new IllegalStateException("away"));
    }
  }

  /** Whether everything that was fetched is settled. */
  synchronized boolean isIdle() {
    return acknowledged.size() + refused.size() == fetched;
  }

  /** The acknowledged messages, in order. */
  public synchronized List<String> acknowledged() {
    return List.copyOf(acknowledged);
  }

  /** The refusals, in order. */
  public synchronized List<Refused> refused() {
    return List.copyOf(refused);
  }

  synchronized List<Integer> batches() {
    return List.copyOf(batches);
  }

  @Override
  public String toString() {
    return "Topic scripted";
  }
}
