package org.svcmailbox.client.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.loop.LoopListener.Ending;

class OpenTelemetryListenerTest {
  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
          .build();
  private final OpenTelemetryListener listener = new OpenTelemetryListener(telemetry);

  @AfterEach
  void close() {
    telemetry.close();
  }

  @Test
  void messagesAreCountedAsTheConventionsSay() {
    listener.received("orders", 3);
    listener.ended("orders", Ending.ACKNOWLEDGED, Duration.ofMillis(1_500));
    listener.ended("orders", Ending.RETRIED, Duration.ofMillis(20));

    Map<String, String> recorded = recorded();
    assertEquals(
        Map.of(
            "messaging.client.consumed.messages receive null null",
            "3 {message}",
            "messaging.process.duration process acknowledged null",
            "1.5 s",
            "messaging.process.duration process retried retried",
            "0.02 s",
            "svcmailbox.loop.held null null null",
            "1 {message}"),
        recorded);
  }

  @Test
  void failuresNameTheirType() {
    listener.receiveFailed("orders", new IllegalStateException("away"));
    listener.failed("orders", new LinkageError("broken"));

    assertEquals(
        Map.of(
            "svcmailbox.loop.receive.failures null null java.lang.IllegalStateException",
            "1 {receive}",
            "svcmailbox.loop.failures null null java.lang.LinkageError",
            "1 {loop}"),
        recorded());
  }

  /** The name of a metric, its operation, ending and error; and the value with its unit. */
  private Map<String, String> recorded() {
    Map<String, String> recorded = new TreeMap<>();
    for (MetricData metric : reader.collectAllMetrics()) {
      recorded.putAll(
          metric.getData().getPoints().stream()
              .collect(
                  Collectors.toMap(
                      point -> metric.getName() + attributes(point),
                      point -> value(point) + " " + metric.getUnit())));
    }
    return recorded;
  }

  private static String attributes(PointData point) {
    assertEquals("svcmailbox", attribute(point, "messaging.system"));
    assertEquals("orders", attribute(point, "messaging.destination.name"));
    return " "
        + attribute(point, "messaging.operation.name")
        + " "
        + attribute(point, "svcmailbox.ending")
        + " "
        + attribute(point, "error.type");
  }

  private static String attribute(PointData point, String name) {
    return String.valueOf(point.getAttributes().get(AttributeKey.stringKey(name)));
  }

  private static String value(PointData point) {
    return point instanceof HistogramPointData histogram
        ? String.valueOf(histogram.getSum())
        : String.valueOf(((io.opentelemetry.sdk.metrics.data.LongPointData) point).getValue());
  }
}
