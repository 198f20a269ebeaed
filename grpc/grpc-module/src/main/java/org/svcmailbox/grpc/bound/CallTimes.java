package org.svcmailbox.grpc.bound;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;

/** The durations of calls, by method. Any thread. */
final class CallTimes {
  private final Map<String, Histogram> byMethod;

  CallTimes(List<String> methods) {
    this.byMethod =
        methods.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Function.identity(),
                    method -> new Histogram(Family.GRPC_LATENCY_SECONDS, method)));
  }

  Histogram of(String method) {
    return requireNonNull(byMethod.get(method));
  }

  List<Distribution> distributions() {
    return List.copyOf(byMethod.values());
  }
}
