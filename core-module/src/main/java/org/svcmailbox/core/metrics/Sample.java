package org.svcmailbox.core.metrics;

/** One number of a distribution, as Prometheus has it; suffix and label may be empty. */
public record Sample(String suffix, String label, String labelValue, double value) {
  static Sample of(String suffix, double value) {
    return new Sample(suffix, "", "", value);
  }
}
