package org.svcmailbox.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** The line of JSON in which a generator process reports its result. */
public final class ResultLine {
  public static final String PREFIX = "RESULT ";

  private ResultLine() {}

  /**
   * Finds the line in the output of a generator.
   *
   * @throws IllegalStateException if there is none
   */
  public static JsonNode parse(String output) throws IOException {
    String line =
        output
            .lines()
            .filter(text -> text.startsWith(PREFIX))
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException("the generator printed no result:\n" + output));
    return new ObjectMapper().readTree(line.substring(PREFIX.length()));
  }
}
