package org.svcmailbox.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks at a file, one a second; it may stay as it is for three. */
class BeatsTest {
  @ParameterizedTest
  @CsvSource({
    "'a b c', '-++'",
    // A file that nobody changes any more.
    "'a a a a a', '-----'",
    "'- - -', '---'",
    // The first writer, and one that comes later.
    "'- a b', '-++'",
    "'a a a b b', '---++'",
    // It may stay for less than three seconds.
    "'a b b b b b', '-+++--'",
    "'a b b b c c c c', '-++++++-'",
    "'a b b b b b c', '-+++--+'",
    // Gone, and back.
    "'a b - b b c', '-+-+++'",
  })
  void aWriterIsAliveWhileItsFileChanges(String files, String expected) {
    Beats beats = new Beats(Duration.ofSeconds(3));
    List<String> told = new ArrayList<>();
    long now = Long.MAX_VALUE - 2_500_000_000L;
    for (String file : files.split(" ", -1)) {
      told.add(beats.next(file.equals("-") ? null : file, now) ? "+" : "-");
      now += 1_000_000_000L;
    }
    assertEquals(expected, String.join("", told));
  }
}
