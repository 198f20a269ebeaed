package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.Map;

/**
 * Prometheus' text format 0.0.4, family by family. Names, help texts and label values are constants
 * or names of topics, and need no escaping. One thread.
 */
public final class PrometheusText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();
  private String family = "";

  /** Starts a family, to which the following samples belong. */
  public PrometheusText family(String name, Family.Kind kind, String help) {
    family = name;
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(kind.text()).append('\n');
    return this;
  }

  /** Adds one value; labels keep their order. */
  public PrometheusText sample(Map<String, String> labels, Number value) {
    append("", labels, "", "", value);
    return this;
  }

  /** Adds the samples of a distribution, with their own labels last. */
  public PrometheusText samples(Map<String, String> labels, List<Sample> samples) {
    for (Sample sample : samples) {
      append(sample.suffix(), labels, sample.label(), sample.labelValue(), sample.value());
    }
    return this;
  }

  private void append(
      String suffix, Map<String, String> labels, String last, String lastValue, Number value) {
    text.append(family).append(suffix);
    int begin = text.length();
    labels.forEach(this::appendLabel);
    if (!last.isEmpty()) {
      appendLabel(last, lastValue);
    }
    if (text.length() > begin) {
      text.setCharAt(begin, '{');
      text.append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  private void appendLabel(String label, String value) {
    text.append(',').append(label).append("=\"").append(value).append('"');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
