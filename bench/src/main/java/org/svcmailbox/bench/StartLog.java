package org.svcmailbox.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** The log of one start of a server. Times are milliseconds after its launch. */
record StartLog(List<Line> lines) {
  private static final Pattern LINE =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) (.*)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS");

  /** A line of the log. */
  record Line(double millis, String text) {}

  StartLog {
    lines = List.copyOf(lines);
  }

  /**
   * Reads a log; lines without a time are left out.
   *
   * @param launched when the start script was told to start
   * @param zone of the times in the log
   */
  static StartLog parse(List<String> log, Instant launched, ZoneId zone) {
    List<Line> lines = new ArrayList<>();
    for (String text : log) {
      Matcher line = LINE.matcher(text);
      if (line.matches()) {
        Instant written = LocalDateTime.parse(line.group(1), TIME).atZone(zone).toInstant();
        lines.add(new Line(Duration.between(launched, written).toNanos() / 1e6, line.group(2)));
      }
    }
    return new StartLog(lines);
  }

  /** When a text was written for the first time. */
  OptionalDouble first(String text) {
    return with(text).findFirst();
  }

  /** When a text was written for the last time. */
  OptionalDouble last(String text) {
    return with(text).reduce((before, after) -> after);
  }

  private DoubleStream with(String text) {
    return lines.stream().filter(line -> line.text().contains(text)).mapToDouble(Line::millis);
  }
}
