package org.svcmailbox.core.metrics;

/** One number of a distribution, as in Prometheus; suffix and label may be empty. */
public record Sample(String suffix, String label, String labelValue, double value) {
  static Sample of(String suffix, double value) {
    return new Sample(suffix, "", "", value);
  }
}
