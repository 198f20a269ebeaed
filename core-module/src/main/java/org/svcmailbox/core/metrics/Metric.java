package org.svcmailbox.core.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One number that can be read at any time.
 *
 * @param family its name, kind, unit and meaning
 * @param tags the family's labels with this metric's values, in order
 * @param value what it is now; for a counter a whole number that never goes down while the process
 *     lives
 */
public record Metric(Family family, Map<String, String> tags, DoubleSupplier value) {
  public Metric {
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  /** The number now. */
  public double now() {
    return value.getAsDouble();
  }
}
