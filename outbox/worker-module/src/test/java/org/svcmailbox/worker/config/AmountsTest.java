package org.svcmailbox.worker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {
  @ParameterizedTest
  @CsvSource({"0s, PT0S", "250ms, PT0.25S", "5s, PT5S", "10m, PT10M", "7d, PT168H", "PT5S, PT5S"})
  void aDurationHasAUnit(String text, Duration expected) {
    assertEquals(Optional.of(expected), Amounts.duration(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5 s", "-5s", "PT-5S", "1w", "1234567890s", "soon"})
  void otherTextIsNoDuration(String text) {
    assertEquals(Optional.empty(), Amounts.duration(text));
  }

  @ParameterizedTest
  @CsvSource({"7, 7", "7B, 7", "1KB, 1024", "3MB, 3145728", "10GB, 10737418240"})
  void aSizeIsInPowersOf1024(String text, long expected) {
    assertEquals(OptionalLong.of(expected), Amounts.bytes(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "KB", "-1KB", "1.5GB", "10 GB", "999999999999999TB"})
  void otherTextIsNoSize(String text) {
    assertEquals(OptionalLong.empty(), Amounts.bytes(text));
  }
}
