package org.svcmailbox.client.micrometer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.client.loop.LoopListener;

/**
 * Records the events of loops as meters. One listener serves all loops of a process.
 *
 * <ul>
 *   <li>{@code svcmailbox.loop.received}, a counter: messages that came.
 *   <li>{@code svcmailbox.loop.handling}, a timer with the tag {@code ending}: how long handlers
 *       ran, and how their messages ended ({@link LoopListener.Ending} in lower case).
 *   <li>{@code svcmailbox.loop.held}, a gauge: messages that loops hold now.
 *   <li>{@code svcmailbox.loop.receive.failures}, a counter: receives that failed.
 *   <li>{@code svcmailbox.loop.failures}, a counter: loops that could not go on.
 * </ul>
 *
 * <p>Each has the tag {@code mailbox}, its name.
 */
public final class MicrometerListener implements LoopListener {
  private static final String PREFIX = "svcmailbox.loop.";
  private static final String MAILBOX = "mailbox";

  private final MeterRegistry registry;
  private final Map<String, AtomicLong> held = new ConcurrentHashMap<>();

  /** A listener that records in a registry. */
  public MicrometerListener(MeterRegistry registry) {
    this.registry = requireNonNull(registry, "registry");
  }

  @Override
  public void received(String mailbox, int messages) {
    held(mailbox).addAndGet(messages);
    count("received", "messages", mailbox, messages);
  }

  @Override
  public void receiveFailed(String mailbox, Throwable cause) {
    count("receive.failures", "receives", mailbox, 1);
  }

  @Override
  public void ended(String mailbox, Ending ending, Duration handling) {
    Timer.builder(PREFIX + "handling")
        .tags(MAILBOX, mailbox, "ending", ending.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .record(handling);
    held(mailbox).decrementAndGet();
  }

  @Override
  public void failed(String mailbox, Throwable cause) {
    count("failures", "loops", mailbox, 1);
  }

  private void count(String name, String unit, String mailbox, int amount) {
    Counter.builder(PREFIX + name)
        .baseUnit(unit)
        .tag(MAILBOX, mailbox)
        .register(registry)
        .increment(amount);
  }

  private AtomicLong held(String mailbox) {
    return held.computeIfAbsent(mailbox, this::gauge);
  }

  private AtomicLong gauge(String mailbox) {
    AtomicLong amount = new AtomicLong();
    Gauge.builder(PREFIX + "held", amount, AtomicLong::get)
        .baseUnit("messages")
        .tag(MAILBOX, mailbox)
        .register(registry);
    return amount;
  }
}
