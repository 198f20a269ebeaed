package org.svcmailbox.core.metrics;

/**
 * One number of a distribution, as Prometheus has it.
 *
 * @param suffix what follows the family's name
 * @param label the key of a label besides those of the distribution, empty when there is none
 * @param labelValue the value of that label
 * @param value the number
 */
public record Sample(String suffix, String label, String labelValue, double value) {
  static Sample of(String suffix, double value) {
    return new Sample(suffix, "", "", value);
  }
}
