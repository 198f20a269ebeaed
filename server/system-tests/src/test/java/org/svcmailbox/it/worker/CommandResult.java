package org.svcmailbox.it.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a command.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it complained about
 */
public record CommandResult(int code, String out, String err) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** This result when it has the given exit code; fails otherwise. */
  public CommandResult expect(int expected) {
    assertEquals(expected, code, this::toString);
    return this;
  }

  /** Its output, an object from each line. */
  public List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.lines().toList()) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }
}
