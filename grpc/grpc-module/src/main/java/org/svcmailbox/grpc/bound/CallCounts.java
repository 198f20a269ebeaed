package org.svcmailbox.grpc.bound;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/** Calls that ended, by method and status. Any thread. */
final class CallCounts implements MetricSource {
  private final Map<String, Map<Status.Code, LongAdder>> byMethod = new LinkedHashMap<>();

  CallCounts(List<String> methods) {
    for (String method : methods) {
      Map<Status.Code, LongAdder> codes = new EnumMap<>(Status.Code.class);
      for (Status.Code code : Status.Code.values()) {
        codes.put(code, new LongAdder());
      }
      byMethod.put(method, codes);
    }
  }

  void count(String method, Status.Code code) {
    requireNonNull(requireNonNull(byMethod.get(method)).get(code)).increment();
  }

  /** Every count that is not 0, and OK of every method, so that its first increase shows. */
  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    byMethod.forEach(
        (method, codes) ->
            codes.forEach(
                (code, count) -> {
                  if (code == Status.Code.OK || count.sum() > 0) {
                    metrics.add(Family.GRPC_CALLS_TOTAL.of(count::sum, method, code.name()));
                  }
                }));
    return metrics;
  }
}
