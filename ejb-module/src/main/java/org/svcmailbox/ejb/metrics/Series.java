package org.svcmailbox.ejb.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.Tag;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Readings;
import org.svcmailbox.core.metrics.Sample;

/** The value of one series, which belongs to a family. */
record Series(Family family, double value) {
  /** Names each series as a registry does: by name and tags. */
  static Map<MetricID, Series> of(Readings readings) {
    Map<MetricID, Series> byId = new HashMap<>();
    readings.forEach(
        (family, labels, samples) ->
            samples.forEach(
                sample ->
                    byId.put(id(family, labels, sample), new Series(family, sample.value()))));
    return byId;
  }

  private static MetricID id(Family family, Map<String, String> labels, Sample sample) {
    Stream<Tag> own =
        sample.label().isEmpty()
            ? Stream.of()
            : Stream.of(new Tag(sample.label(), sample.labelValue()));
    Stream<Tag> shared =
        labels.entrySet().stream().map(label -> new Tag(label.getKey(), label.getValue()));
    return new MetricID(
        family.text() + sample.suffix(), Stream.concat(shared, own).toArray(Tag[]::new));
  }
}
