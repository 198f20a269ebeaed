package org.svcmailbox.web.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Sample;

/**
 * Histograms in Prometheus' text format 0.0.4. MicroProfile Metrics cannot write them: its timers
 * round buckets to milliseconds and its histograms take whole numbers only.
 */
final class DistributionText {
  /** The scope label, as MicroProfile adds it to its own metrics. */
  private static final String SCOPE = "mp_scope=\"application\",";

  private DistributionText() {}

  /** Writes each family with one header. */
  static String of(List<Distribution> distributions) {
    Map<Family, List<Distribution>> byFamily =
        distributions.stream()
            .collect(
                Collectors.groupingBy(
                    Distribution::family, LinkedHashMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    byFamily.forEach((family, ofFamily) -> append(text, family, ofFamily));
    return text.toString();
  }

  private static void append(StringBuilder text, Family family, List<Distribution> ofFamily) {
    text.append("# HELP ").append(family.text()).append(' ').append(family.help()).append('\n');
    text.append("# TYPE ").append(family.text()).append(' ').append(family.kind().text());
    text.append('\n');
    ofFamily.forEach(one -> one.read().forEach(sample -> append(text, one, sample)));
  }

  private static void append(StringBuilder text, Distribution one, Sample sample) {
    text.append(one.family().text()).append(sample.suffix()).append('{').append(SCOPE);
    one.tags().forEach((label, value) -> append(text, label, value));
    if (!sample.label().isEmpty()) {
      append(text, sample.label(), sample.labelValue());
    }
    text.append("} ").append(sample.value()).append('\n');
  }

  /** Values are constants and need no escaping. */
  private static void append(StringBuilder text, String label, String value) {
    text.append(label).append("=\"").append(value).append("\",");
  }
}
