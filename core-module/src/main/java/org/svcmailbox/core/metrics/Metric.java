package org.svcmailbox.core.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** One number that can be read at any time. A counter's number is whole and never decreases. */
public record Metric(Family family, Map<String, String> tags, DoubleSupplier value) {
  public Metric {
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  public double now() {
    return value.getAsDouble();
  }
}
