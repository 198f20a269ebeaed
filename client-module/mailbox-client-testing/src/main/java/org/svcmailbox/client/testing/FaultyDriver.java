package org.svcmailbox.client.testing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.testing.FakeMailbox.Operation;

/** A queue in memory that fails as it is told. */
final class FaultyDriver implements MailboxDriver {
  private static final int MAX_REMEMBERED = 1_000;

  /** One call's failure: before the operation is carried out, or after. */
  private record Fault(Supplier<? extends RuntimeException> cause, boolean after) {}

  private final InMemoryDriver queue;
  private final Map<Operation, Deque<Fault>> next = new EnumMap<>(Operation.class);
  private final Map<Operation, Fault> always = new EnumMap<>(Operation.class);
  private final Map<Operation, Integer> calls = new EnumMap<>(Operation.class);
  private final Deque<DriverDelivery> acknowledged = new ArrayDeque<>();

  FaultyDriver(InMemoryDriver queue) {
    this.queue = queue;
  }

  synchronized void failNext(Operation operation, Supplier<? extends RuntimeException> cause) {
    enqueue(operation, new Fault(cause, false));
  }

  synchronized void failAlways(Operation operation, Supplier<? extends RuntimeException> cause) {
    always.put(operation, new Fault(cause, false));
  }

  synchronized void loseNextAnswer(Operation operation) {
    enqueue(
        operation,
        new Fault(
            () -> new MailboxConnectionException("the answer is lost", Outcome.UNKNOWN), true));
  }

  synchronized void heal() {
    next.clear();
    always.clear();
  }

  synchronized int calls(Operation operation) {
    return calls.getOrDefault(operation, 0);
  }

  void redeliver() {
    List<DriverDelivery> again;
    synchronized (this) {
      again = List.copyOf(acknowledged);
      acknowledged.clear();
    }
    again.forEach(queue::redeliver);
  }

  InMemoryDriver queue() {
    return queue;
  }

  private void enqueue(Operation operation, Fault fault) {
    next.computeIfAbsent(operation, unused -> new ArrayDeque<>()).add(fault);
  }

  private synchronized @Nullable Fault nextFault(Operation operation) {
    Deque<Fault> queued = next.get(operation);
    Fault first = queued == null ? null : queued.poll();
    return first != null ? first : always.get(operation);
  }

  private <V> V perform(Operation operation, Callable<V> call) {
    try {
      return performOrStop(operation, call);
    } catch (InterruptedException e) {
      throw new IllegalStateException("only a receive waits", e);
    }
  }

  private <V> V performOrStop(Operation operation, Callable<V> call) throws InterruptedException {
    Fault fault = nextFault(operation);
    try {
      if (fault != null && !fault.after) {
        throw fault.cause.get();
      }
      V answer = call.call();
      if (fault != null) {
        throw fault.cause.get();
      }
      return answer;
    } catch (RuntimeException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      count(operation);
    }
  }

  private synchronized void count(Operation operation) {
    calls.merge(operation, 1, Integer::sum);
  }

  @Override
  public String location() {
    return queue.location();
  }

  @Override
  public BackendFeatures features() {
    return queue.features();
  }

  @Override
  public Sent send(EncodedMessage message) {
    return perform(Operation.SEND, () -> queue.send(message));
  }

  @Override
  public List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    return performOrStop(Operation.RECEIVE, () -> queue.receive(maxMessages, visibility, wait));
  }

  @Override
  public void acknowledge(DriverDelivery delivery) {
    Object unused =
        perform(
            Operation.ACKNOWLEDGE,
            () -> {
              queue.acknowledge(delivery);
              remember(delivery);
              return delivery;
            });
  }

  private synchronized void remember(DriverDelivery delivery) {
    acknowledged.add(delivery);
    if (acknowledged.size() > MAX_REMEMBERED) {
      acknowledged.remove();
    }
  }

  @Override
  public void nack(DriverDelivery delivery, Duration visibility, String reason) {
    Object unused =
        perform(
            Operation.NACK,
            () -> {
              queue.nack(delivery, visibility, reason);
              return delivery;
            });
  }

  @Override
  public void extend(DriverDelivery delivery, Duration timeout) {
    Object unused =
        perform(
            Operation.EXTEND,
            () -> {
              queue.extend(delivery, timeout);
              return delivery;
            });
  }

  @Override
  public OptionalLong purge() {
    return perform(Operation.PURGE, queue::purge);
  }

  @Override
  public long approximateCount() {
    return perform(Operation.COUNT, queue::approximateCount);
  }

  @Override
  public void close() {
    queue.close();
  }
}
