package org.svcmailbox.ejb.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.redrive.JobError;

/** Formats and parses the lists in a job's row. */
final class JobTexts {
  private JobTexts() {}

  static String positions(Collection<LetterPosition> positions) {
    return positions.stream()
        .sorted()
        .map(position -> HexFormat.of().toHexDigits(position.bits()))
        .collect(Collectors.joining(" "));
  }

  static List<LetterPosition> positions(String text) {
    return parts(text, " ")
        .map(position -> new LetterPosition(HexFormat.fromHexDigitsToLong(position)))
        .toList();
  }

  static String errors(List<JobError> errors) {
    return errors.stream()
        .map(error -> error.msgId() + " " + URLEncoder.encode(error.detail(), UTF_8))
        .collect(Collectors.joining("\n"));
  }

  static List<JobError> errors(String text) {
    return parts(text, "\n").map(JobTexts::error).toList();
  }

  /** Joins texts, of which each is one line and not empty. */
  static String lines(List<String> texts) {
    return String.join("\n", texts);
  }

  static List<String> lines(String text) {
    return parts(text, "\n").toList();
  }

  private static JobError error(String line) {
    int end = line.indexOf(' ');
    return new JobError(
        MsgId.parse(line.substring(0, end)), URLDecoder.decode(line.substring(end + 1), UTF_8));
  }

  private static Stream<String> parts(String text, String between) {
    return text.isEmpty() ? Stream.empty() : Arrays.stream(text.split(between, -1));
  }
}
