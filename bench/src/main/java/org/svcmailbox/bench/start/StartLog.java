package org.svcmailbox.bench.start;

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

/** The log of one start; times are milliseconds after the launch. */
record StartLog(List<Line> lines) {
  private static final Pattern LINE =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) (.*)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS");

  record Line(double millis, String text) {}

  StartLog {
    lines = List.copyOf(lines);
  }

  /**
   * Parses a log, without lines that have no time.
   *
   * @param launched launch of the start script
   * @param zone time zone of the log
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

  /** The time of the first line with this text. */
  OptionalDouble first(String text) {
    return with(text).findFirst();
  }

  /** The time of the last line with this text. */
  OptionalDouble last(String text) {
    return with(text).reduce((before, after) -> after);
  }

  private DoubleStream with(String text) {
    return lines.stream().filter(line -> line.text().contains(text)).mapToDouble(Line::millis);
  }
}
