package org.svcmailbox.client.spi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;

/**
 * Gathers tasks while a few requests are out, so that batches grow with the load by themselves. One
 * thread makes each request, and stays as long as there are tasks. Refuses tasks when its buffer is
 * full; it never drops one. With one request at a time, it keeps their order. Thread-safe.
 *
 * @param <T> the tasks, whose results come from the requests
 */
public final class Batcher<T extends BatchTask<?>> {
  /**
   * Bounds of a batcher.
   *
   * @param requests that are out at once
   * @param tasks that have no result yet
   * @param bytes of these
   * @param batch tasks of one request
   * @param batchBytes payload bytes of one request
   * @param linger how long a task waits for others
   */
  public record Bounds(
      int requests, int tasks, long bytes, int batch, int batchBytes, Duration linger) {
    /** As many of the first tasks as fit into a request; at least one, if there is one. */
    private <T extends BatchTask<?>> List<T> firstOf(Iterable<T> tasks) {
      List<T> batch = new ArrayList<>();
      long payload = 0;
      for (T task : tasks) {
        payload += task.payloadBytes();
        if (batch.size() == this.batch || (!batch.isEmpty() && payload > batchBytes)) {
          break;
        }
        batch.add(task);
      }
      return batch;
    }
  }

  private final OpenCalls calls;
  private final Consumer<List<T>> request;
  private final Executor threads;
  private final Bounds bounds;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<T> waiting = new ArrayDeque<>();
  private final Set<T> out = new HashSet<>();
  private int tasks;
  private long bytes;
  private int runners;

  /**
   * A batcher without tasks.
   *
   * @param calls each task is one from when it is added until it has its result
   * @param request makes one request, and gives each of its tasks a result
   * @param threads run the requests
   */
  public Batcher(OpenCalls calls, Consumer<List<T>> request, Executor threads, Bounds bounds) {
    this.calls = calls;
    this.request = request;
    this.threads = threads;
    this.bounds = bounds;
  }

  /**
   * Takes a task, whose result will come.
   *
   * @throws MailboxFullException if the buffer is full
   * @throws MailboxClosedException if the mailbox is closing
   */
  public void add(T task) {
    calls.begin();
    try {
      if (hold(task)) {
        start(task);
      }
    } catch (RuntimeException | Error e) {
      calls.end();
      throw e;
    }
  }

  /** Puts a task into the buffer; whether it needs another runner. */
  private boolean hold(T task) {
    lock.lock();
    try {
      if (tasks == bounds.tasks() || bytes + task.bytes() > bounds.bytes()) {
        throw new MailboxFullException(
            "the buffer holds " + tasks + " calls with " + bytes + " bytes");
      }
      tasks++;
      bytes += task.bytes();
      task.holder = this;
      waiting.add(task);
      changed.signalAll();
      boolean starts = runners < bounds.requests();
      runners += starts ? 1 : 0;
      return starts;
    } finally {
      lock.unlock();
    }
  }

  /** Starts a runner, or takes the task back if there can be none and nobody has begun it. */
  private void start(T task) {
    try {
      threads.execute(this::run);
    } catch (RuntimeException | Error e) {
      lock.lock();
      try {
        runners--;
        if (waiting.remove(task)) {
          boolean unused = release(task);
          throw new MailboxConnectionException(
              "there is no thread to make the call", Outcome.NOT_DONE, e);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Frees the room of a task that is about to have its result.
   *
   * @return false if that was done before
   */
  boolean release(BatchTask<?> task) {
    lock.lock();
    try {
      if (task.holder == null) {
        return false;
      }
      task.holder = null;
      tasks--;
      bytes -= task.bytes();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes note that a task whose room was freed has its result. */
  void ended() {
    calls.end();
  }

  /**
   * Makes requests for tasks that it does not hold, in their order and on this thread. Leaves out
   * those that have a result.
   */
  public void runAll(List<T> all) {
    List<T> left = all.stream().filter(task -> !task.isDone()).toList();
    while (!left.isEmpty()) {
      List<T> batch = bounds.firstOf(left);
      request.accept(batch);
      left = left.subList(batch.size(), left.size());
    }
  }

  /** Sends at once what lingers. Called when closing has begun. */
  public void flush() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Fails every task that has no result: those that are out as unknown. Ends no request. */
  public void abandon() {
    List<T> unsent;
    List<T> sent;
    lock.lock();
    try {
      unsent = List.copyOf(waiting);
      sent = List.copyOf(out);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    unsent.forEach(task -> task.fail(new MailboxClosedException(calls.name())));
    sent.forEach(
        task ->
            task.fail(
                new MailboxConnectionException(
                    "mailbox " + calls.name() + " closed before the answer came",
                    Outcome.UNKNOWN)));
  }

  private void run() {
    for (List<T> batch = take(); !batch.isEmpty(); batch = take()) {
      try {
        request.accept(batch);
      } catch (RuntimeException | Error e) {
        batch.forEach(task -> task.fail(e));
      } finally {
        forget(batch);
      }
    }
  }

  /** The next batch; empty if there is none, which ends the runner. */
  private List<T> take() {
    lock.lock();
    try {
      linger();
      List<T> batch = bounds.firstOf(waiting);
      batch.forEach(task -> waiting.remove());
      out.addAll(batch);
      runners -= batch.isEmpty() ? 1 : 0;
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a batch to fill, as long as its first task lingers. */
  private void linger() {
    MailboxClock clock = calls.clock();
    try {
      for (T first = waiting.peek();
          first != null && waiting.size() < bounds.batch() && calls.isOpen();
          first = waiting.peek()) {
        long end = first.begun() + bounds.linger().toNanos();
        if (clock.isPast(end)) {
          return;
        }
        clock.await(lock, changed, end);
      }
    } catch (InterruptedException e) {
      // These threads should not be interrupted; if one is, its batch is sent with what it has.
      Thread.currentThread().interrupt();
    }
  }

  private void forget(List<T> batch) {
    lock.lock();
    try {
      batch.forEach(out::remove);
    } finally {
      lock.unlock();
    }
  }
}
