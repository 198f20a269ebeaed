package org.svcmailbox.core.metrics;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Metrics of many sources as text. */
public final class MetricsText {
  private MetricsText() {}

  /** Reads every metric once; those of equal family and tags are added up. */
  public static String of(Collection<MetricSource> sources) {
    Map<Family, Map<Map<String, String>, List<Sample>>> families = new EnumMap<>(Family.class);
    for (MetricSource source : sources) {
      for (Metric metric : source.metrics()) {
        tagged(families, metric.family())
            .merge(metric.tags(), List.of(Sample.of("", metric.now())), MetricsText::sum);
      }
      for (Distribution one : source.distributions()) {
        tagged(families, one.family()).put(one.tags(), one.read());
      }
    }
    PrometheusText text = new PrometheusText();
    families.forEach(
        (family, tagged) -> {
          text.family(family.text(), family.kind(), family.help());
          tagged.forEach((tags, samples) -> text.samples(labels(tags), samples));
        });
    return text.toString();
  }

  private static Map<Map<String, String>, List<Sample>> tagged(
      Map<Family, Map<Map<String, String>, List<Sample>>> families, Family family) {
    return families.computeIfAbsent(family, unknown -> new LinkedHashMap<>());
  }

  private static List<Sample> sum(List<Sample> one, List<Sample> other) {
    return List.of(Sample.of("", one.get(0).value() + other.get(0).value()));
  }

  /** The scope tells the application's metrics from the JVM's. */
  private static Map<String, String> labels(Map<String, String> tags) {
    Map<String, String> labels = new TreeMap<>(tags);
    labels.put("mp_scope", "application");
    return labels;
  }
}
