package org.svcmailbox.it.client;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code /metrics} said at one moment, in Prometheus' text format. */
public final class Metrics {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([^ ]+)(?: [0-9]+)?");

  private final List<String> lines;

  private Metrics(List<String> lines) {
    this.lines = lines;
  }

  /** What it says now; it asks for no capability. */
  public static Metrics of(MailboxClient client) throws IOException {
    String text = client.with(null).get("/metrics").expect(200).text();
    return new Metrics(text.lines().filter(line -> !line.startsWith("#")).toList());
  }

  /** The value of a metric with a label; 0 when there is none yet, as for a counter. */
  public double value(String name, String label, String labelValue) {
    double sum = 0;
    for (String line : lines) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()
          && sample.group(1).equals(name)
          && String.valueOf(sample.group(2)).contains(label + "=\"" + labelValue + "\"")) {
        sum += Double.parseDouble(sample.group(3));
      }
    }
    return sum;
  }
}
