package org.svcmailbox.amount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what is a duration or a size, and what is none. */
class AmountsTest {
  private static final String NO_DURATION = "must be a duration such as 250ms, 5s, 7d or PT5S";
  private static final String NO_SIZE = "must be a size such as 65536, 512MB or 10GB";

  @ParameterizedTest
  @CsvSource({
    "0ms,              PT0S",
    "0d,               PT0S",
    "1ms,              PT0.001S",
    "250ms,            PT0.25S",
    "1500ms,           PT1.5S",
    "5s,               PT5S",
    "005s,             PT5S",
    "10m,              PT10M",
    "12h,              PT12H",
    "7d,               PT168H",
    "999999999d,       PT23999999976H",
    "999999999999ms,   PT999999999.999S",
    "999999999999m,    PT999999999999M",
    "PT5S,             PT5S",
    "pt5s,             PT5S",
    "+PT5S,            PT5S",
    "PT1.5S,           PT1.5S",
    "PT0S,             PT0S",
    "P1DT1H,           PT25H",
    "PT0.000000001S,   PT0.000000001S",
    "PT1M-1S,          PT59S",
  })
  void aDurationHasAUnitOrIsIso8601(String text, Duration expected) {
    assertEquals(expected, Amounts.duration(text));
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "' '",
    "5",
    "s",
    "5 s",
    "' 5s'",
    "'5s '",
    "'5s\n'",
    "5S",
    "5MS",
    "5D",
    "5w",
    "5us",
    "5sec",
    "1.5s",
    "'1,5s'",
    "5s5s",
    "1h30m",
    "-5s",
    "+5s",
    "-PT5S",
    "PT-5S",
    "PT-0.000000001S",
    "P1W",
    "P1M",
    "P",
    "PT",
    "1000000000000s",
    "999999999999d",
    "PT9223372036854775807S",
    "PT9223372036854775808S",
    "P99999999999999999D",
    "٥s",
    "soon",
    "hunter2",
  })
  void anyOtherTextIsNoDurationAndIsNotRepeated(String text) {
    assertEquals(NO_DURATION, refusal(() -> Amounts.duration(text)));
  }

  @ParameterizedTest
  @CsvSource({"1s, 1s", "7d, 7d", "PT1S, 1s", "168h, 7d", "5s, 5s"})
  void aBoundBelongsToItsRange(String text, String same) {
    assertEquals(
        Amounts.duration(same), Amounts.duration(text, Duration.ofSeconds(1), Duration.ofDays(7)));
  }

  @ParameterizedTest
  @CsvSource({"999ms", "0s", "8d", "PT0.999999999S", "604800001ms"})
  void aDurationBeyondABoundIsNamedWithBoth(String text) {
    assertEquals(
        "must be between 1s and 7d, not " + text,
        refusal(() -> Amounts.duration(text, Duration.ofSeconds(1), Duration.ofDays(7))));
  }

  @Test
  void aTextThatIsNoneIsNotNamed() {
    assertEquals(
        NO_DURATION, refusal(() -> Amounts.duration("hunter2", Duration.ZERO, Duration.ofDays(7))));
  }

  @ParameterizedTest
  @CsvSource({"PT1.5S, 1500ms", "PT5S, 5s", "PT10M, 10m", "PT36H, 36h", "P7D, 7d", "PT0S, 0ms"})
  void aDurationIsWrittenInItsShortestForm(Duration given, String expected) {
    assertEquals(expected, Amounts.text(given));
    assertEquals(given, Amounts.duration(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "0,                   0",
    "7,                   7",
    "007,                 7",
    "+7,                  7",
    "7B,                  7",
    "0KB,                 0",
    "1KB,                 1024",
    "64KiB,               65536",
    "3MB,                 3145728",
    "3MiB,                3145728",
    "10GB,                10737418240",
    "1TB,                 1099511627776",
    "1024TB,              1125899906842624",
    "8388607TB,           9223370937343148032",
    "9223372036854775807, 9223372036854775807",
  })
  void aSizeIsInPowersOf1024(String text, long expected) {
    assertEquals(expected, Amounts.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "B",
    "KB",
    "K",
    "1K",
    "1kB",
    "1kb",
    "1iB",
    "1KIB",
    "1PB",
    "1.5GB",
    "10 GB",
    "' 10GB'",
    "'10GB '",
    "-1",
    "-1KB",
    "0x10",
    "1_000",
    "8388608TB",
    "9223372036854775808",
    "99999999999999999999",
    "ten",
    "hunter2",
  })
  void anyOtherTextIsNoSizeAndIsNotRepeated(String text) {
    assertEquals(NO_SIZE, refusal(() -> Amounts.bytes(text)));
  }

  private static String refusal(Runnable parse) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, parse::run).getMessage());
  }
}
