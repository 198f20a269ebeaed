package org.svcmailbox.core.metrics;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The value of every metric at one moment, by family and labels. */
public final class Readings {
  private final Map<Family, Map<Map<String, String>, List<Sample>>> families =
      new EnumMap<>(Family.class);

  private Readings() {}

  /** Takes the samples of one family with equal labels. */
  @FunctionalInterface
  public interface Reader {
    void read(Family family, Map<String, String> labels, List<Sample> samples);
  }

  /** Reads every metric once; metrics of equal family and labels are added up. */
  public static Readings of(Collection<MetricSource> sources) {
    Readings readings = new Readings();
    for (MetricSource source : sources) {
      for (Metric metric : source.metrics()) {
        readings
            .of(metric.family())
            .merge(metric.tags(), List.of(Sample.of("", metric.now())), Readings::sum);
      }
      for (Distribution one : source.distributions()) {
        readings.of(one.family()).put(one.tags(), one.read());
      }
    }
    return readings;
  }

  private Map<Map<String, String>, List<Sample>> of(Family family) {
    return families.computeIfAbsent(family, unknown -> new LinkedHashMap<>());
  }

  private static List<Sample> sum(List<Sample> one, List<Sample> other) {
    return List.of(Sample.of("", one.get(0).value() + other.get(0).value()));
  }

  /** Passes everything on, family by family. */
  public void forEach(Reader reader) {
    families.forEach(
        (family, byLabels) ->
            byLabels.forEach((labels, samples) -> reader.read(family, labels, samples)));
  }

  /** Prometheus' text format; the scope tells the application's metrics from the JVM's. */
  public String text() {
    PrometheusText text = new PrometheusText();
    families.forEach(
        (family, byLabels) -> {
          text.family(family.text(), family.kind(), family.help());
          byLabels.forEach((labels, samples) -> text.samples(scoped(labels), samples));
        });
    return text.toString();
  }

  private static Map<String, String> scoped(Map<String, String> labels) {
    Map<String, String> scoped = new TreeMap<>(labels);
    scoped.put("mp_scope", "application");
    return scoped;
  }
}
