package org.svcmailbox.client.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.svcmailbox.client.loop.LoopListener;

/**
 * Records the events of loops as OpenTelemetry metrics. One listener serves all loops of a process.
 *
 * <ul>
 *   <li>{@code messaging.client.consumed.messages}, a counter: messages that came.
 *   <li>{@code messaging.process.duration}, a histogram in seconds: how long handlers ran. {@code
 *       svcmailbox.ending} says how their messages ended ({@link LoopListener.Ending} in lower
 *       case); {@code error.type} has the same value if the handler failed.
 *   <li>{@code svcmailbox.loop.held}: messages that loops hold now.
 *   <li>{@code svcmailbox.loop.receive.failures}, a counter: receives that failed, by {@code
 *       error.type}.
 *   <li>{@code svcmailbox.loop.failures}, a counter: loops that could not go on.
 * </ul>
 *
 * <p>The semantic conventions define the first two. Each has the attributes {@code
 * messaging.system}, which is {@code svcmailbox}, and {@code messaging.destination.name}, the
 * mailbox.
 */
public final class OpenTelemetryListener implements LoopListener {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> ENDING = AttributeKey.stringKey("svcmailbox.ending");

  /** In seconds, as the conventions advise. */
  private static final List<Double> BUCKETS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  private static final double NANOS = 1e9;

  private final LongCounter received;
  private final DoubleHistogram handling;
  private final LongUpDownCounter held;
  private final LongCounter receiveFailures;
  private final LongCounter failures;

  /** A listener that records with the meters of an OpenTelemetry. */
  public OpenTelemetryListener(OpenTelemetry telemetry) {
    Meter meter = telemetry.getMeter("org.svcmailbox.client");
    received =
        meter.counterBuilder("messaging.client.consumed.messages").setUnit("{message}").build();
    handling =
        meter
            .histogramBuilder("messaging.process.duration")
            .setUnit("s")
            .setExplicitBucketBoundariesAdvice(BUCKETS)
            .build();
    held = meter.upDownCounterBuilder("svcmailbox.loop.held").setUnit("{message}").build();
    receiveFailures =
        meter.counterBuilder("svcmailbox.loop.receive.failures").setUnit("{receive}").build();
    failures = meter.counterBuilder("svcmailbox.loop.failures").setUnit("{loop}").build();
  }

  @Override
  public void received(String mailbox, int messages) {
    received.add(messages, of(mailbox).toBuilder().put(OPERATION, "receive").build());
    held.add(messages, of(mailbox));
  }

  @Override
  public void receiveFailed(String mailbox, Throwable cause) {
    receiveFailures.add(1, errorOf(mailbox, cause));
  }

  @Override
  public void ended(String mailbox, Ending ending, Duration handled) {
    held.add(-1, of(mailbox));
    String how = ending.name().toLowerCase(Locale.ROOT);
    var attributes = of(mailbox).toBuilder().put(OPERATION, "process").put(ENDING, how);
    if (ending != Ending.ACKNOWLEDGED && ending != Ending.FINALIZED) {
      attributes.put(ERROR, how);
    }
    handling.record(handled.toNanos() / NANOS, attributes.build());
  }

  @Override
  public void failed(String mailbox, Throwable cause) {
    failures.add(1, errorOf(mailbox, cause));
  }

  private static Attributes errorOf(String mailbox, Throwable cause) {
    return of(mailbox).toBuilder().put(ERROR, cause.getClass().getName()).build();
  }

  private static Attributes of(String mailbox) {
    return Attributes.of(SYSTEM, "svcmailbox", DESTINATION, mailbox);
  }
}
