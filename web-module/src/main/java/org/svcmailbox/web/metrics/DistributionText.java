package org.svcmailbox.web.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Sample;

/**
 * Distributions in Prometheus' text format 0.0.4, in the form of the exporter's own lines. Written
 * here because MicroProfile cannot: its timers' buckets are whole milliseconds, its histograms take
 * whole numbers.
 */
final class DistributionText {
  /** What MicroProfile adds to everything else. */
  private static final String SCOPE = "mp_scope=\"application\",";

  private DistributionText() {}

  /** All of them, each family with its head once. */
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

  /** Values are constants of the code: nothing in them needs to be escaped. */
  private static void append(StringBuilder text, String label, String value) {
    text.append(label).append("=\"").append(value).append("\",");
  }
}
