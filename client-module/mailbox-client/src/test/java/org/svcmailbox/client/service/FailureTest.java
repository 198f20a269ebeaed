package org.svcmailbox.client.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static final Path API =
      Path.of("..", "..", "web-module", "src", "main", "resources", "META-INF", "openapi.yaml");
  private static final Pattern NOTHING_DONE =
      Pattern.compile("With the `reason` ([^.]*), a 503 changed nothing");
  private static final Pattern REASON = Pattern.compile("`([a-z_]+)`");

  @Test
  void itKnowsEveryReasonWithWhichTheServiceDoesNothing() throws IOException {
    Matcher sentence = NOTHING_DONE.matcher(Files.readString(API).replaceAll("\\s+", " "));
    assertTrue(sentence.find(), "the sentence in " + API);
    Set<String> documented =
        REASON
            .matcher(sentence.group(1))
            .results()
            .map((MatchResult reason) -> reason.group(1))
            .collect(Collectors.toSet());

    assertEquals(documented, Failure.NOT_BEGUN);
  }
}
