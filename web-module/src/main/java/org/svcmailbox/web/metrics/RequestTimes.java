package org.svcmailbox.web.metrics;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.web.problem.Endpoints;

/** Request latencies by endpoint. */
final class RequestTimes implements MetricSource {
  private final Map<String, Histogram> byEndpoint =
      Stream.concat(Endpoints.NAMED.stream(), Stream.of(Endpoints.OTHER))
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(),
                  endpoint -> new Histogram(Family.REQUEST_LATENCY_SECONDS, endpoint)));

  Histogram of(String endpoint) {
    return requireNonNull(byEndpoint.get(endpoint));
  }

  @Override
  public List<Metric> metrics() {
    return List.of();
  }

  @Override
  public List<Distribution> distributions() {
    return List.copyOf(byEndpoint.values());
  }
}
