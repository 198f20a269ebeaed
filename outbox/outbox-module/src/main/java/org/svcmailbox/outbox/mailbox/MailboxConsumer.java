package org.svcmailbox.outbox.mailbox;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.event.Reason;
import org.svcmailbox.outbox.inbox.ConsumerException;
import org.svcmailbox.outbox.inbox.Delivery;
import org.svcmailbox.outbox.inbox.EventConsumer;
import org.svcmailbox.outbox.inbox.Refused;
import org.svcmailbox.outbox.inbox.TopicSaturatedException;

/**
 * Consumes a topic of the service. Extends the leases of held messages every third of their length,
 * for at most 20 min; if a handler takes longer, its message is delivered again. Thread-safe.
 */
public final class MailboxConsumer implements EventConsumer, AutoCloseable {
  private static final Logger LOG = System.getLogger(MailboxConsumer.class.getName());

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(20);

  private final HttpService service;
  private final String topic;
  private final Duration ackWait;
  private final MailboxClock clock;
  private final Map<String, Lease> held = new ConcurrentHashMap<>();
  private final ScheduledFuture<?> extension;

  /**
   * A consumer that holds nothing yet.
   *
   * @param service stays open
   * @param ackWait how long leases last
   * @param scheduler extends leases
   */
  public MailboxConsumer(
      HttpService service, String topic, Duration ackWait, ScheduledExecutorService scheduler) {
    this.service = requireNonNull(service, "service");
    this.topic = requireNonNull(topic, "topic");
    this.ackWait = requireNonNull(ackWait, "ackWait");
    clock = MailboxClock.system();
    long period = ackWait.toMillis() / 3;
    extension =
        scheduler.scheduleWithFixedDelay(this::extend, period, period, TimeUnit.MILLISECONDS);
  }

  @Override
  public List<Delivery> fetch(int batch) throws InterruptedException {
    List<Delivery> messages = new ArrayList<>();
    try {
      for (JsonNode message :
          service.receive(topic, Math.min(batch, HttpService.MAX_BATCH), ackWait, WAIT)) {
        messages.add(ReceivedMessage.of(message));
      }
    } catch (MailboxFullException e) {
      throw new TopicSaturatedException(
          "topic " + topic + " gives nothing now: " + e.getMessage(), e);
    } catch (MailboxException | IOException e) {
      throw new ConsumerException("topic " + topic + " gives nothing: " + e.getMessage(), e);
    }
    messages.forEach(this::hold);
    return messages;
  }

  private void hold(Delivery delivery) {
    held.put(
        delivery.receipt(), Lease.of(delivery, clock.deadline(ackWait), clock.deadline(LONGEST)));
  }

  private void extend() {
    held.values().removeIf(lease -> clock.isPast(lease.end()));
    List<Lease> leases = List.copyOf(held.values());
    try {
      for (int i = 0; i < leases.size(); i += HttpService.MAX_BATCH) {
        List<Lease> batch = leases.subList(i, Math.min(leases.size(), i + HttpService.MAX_BATCH));
        extend(batch);
      }
    } catch (RuntimeException e) {
      // Thrown further, it would end the schedule; the next turn tries again.
      LOG.log(Level.WARNING, "Leases of topic " + topic + " are not extended", e);
    }
  }

  private void extend(List<Lease> leases) {
    long until = clock.deadline(ackWait);
    List<ObjectNode> elements =
        leases.stream()
            .map(lease -> lease.json().put("visibility_ms", ackWait.toMillis()))
            .toList();
    List<Optional<RuntimeException>> failures = service.extend(elements);
    for (int i = 0; i < leases.size(); i++) {
      extended(leases.get(i), until, failures.get(i).orElse(null));
    }
  }

  private void extended(Lease lease, long until, @Nullable RuntimeException failure) {
    if (failure == null) {
      held.computeIfPresent(lease.receipt(), (receipt, known) -> known.extended(until));
      return;
    }
    LOG.log(
        Level.DEBUG, "The lease of {0} is not extended: {1}", lease.msgId(), failure.getMessage());
    if (failure instanceof ReceiptHandleExpiredException) {
      held.remove(lease.receipt());
    }
  }

  @Override
  public boolean holds(Delivery message) {
    Lease lease = held.get(message.receipt());
    if (lease != null && !clock.isPast(lease.until())) {
      return true;
    }
    held.remove(message.receipt());
    return false;
  }

  @Override
  public void ack(Delivery message) {
    settle(message, service.acknowledge(List.of(element(message))));
  }

  @Override
  public void nak(Refused message) {
    ObjectNode element = element(message.delivery()).put("reason", Reason.of(message.reason()));
    if (message.deadLetter()) {
      element.put("dead_letter", true);
    } else if (message.delay() != null) {
      element.put("delay_ms", message.delay().toMillis());
    }
    settle(message.delivery(), service.nack(List.of(element)));
  }

  private ObjectNode element(Delivery message) {
    held.remove(message.receipt());
    return Lease.of(message, 0, 0).json();
  }

  private static void settle(Delivery message, List<Optional<RuntimeException>> failures) {
    Optional<RuntimeException> failure = failures.get(0);
    if (failure.isPresent()) {
      throw new ConsumerException(
          "message " + message.msgId() + " is not settled: " + failure.get().getMessage(),
          failure.get());
    }
  }

  /** Stops extending leases; held messages are delivered again when their leases end. */
  @Override
  public void close() {
    extension.cancel(false);
  }

  /** For logs. */
  @Override
  public String toString() {
    return "Topic " + topic;
  }
}
