package org.svcmailbox.core.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a message expires, in milliseconds; 12 h are 43,200,000. */
class ExpiryPolicyTest {
  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  @ParameterizedTest
  @CsvSource({
    // Ready in the present session: nobody can have had it before.
    "1000, 6000, 1000, 6000",
    "1001, 6000, 1000, 6000",
    // Ready in an earlier session: its life counts again from the present one.
    "1000, 6000, 1001, 6001",
    "1000, 6000, 4000, 9000",
    "1000, 6000, 900000, 905000",
    // At most twelve hours more, and never less than it had.
    "0, 604800000, 1, 604800000",
    "0, 604800000, 561600000, 604800000",
    "0, 604800000, 600000000, 643200000",
    "0, 43200000, 43200000, 86400000",
    "0, 43200001, 43200001, 86400001",
    // Due in the future when the session began.
    "9000, 10000, 5000, 10000",
  })
  void aLifeCountsAgainFromTheSessionAfterTheOneThatMayHaveHandedItOut(
      long readySince, long expiresAt, long session, long end) {
    assertEquals(at(end), ExpiryPolicy.end(at(readySince), at(expiresAt), at(session)));
  }

  @ParameterizedTest
  @CsvSource({"1000,,", "1000,no,no", "999,no,no"})
  void aLastErrorIsKept(long readySince, @Nullable String lastError, @Nullable String note) {
    assertEquals(note, ExpiryPolicy.note(at(readySince), at(1000), lastError));
  }

  @Test
  void aLetterNeverSaysThatNobodyHadWhatSomebodyMayHaveHad() {
    assertEquals(
        ExpiryPolicy.MAY_HAVE_BEEN_HELD,
        ExpiryPolicy.note(at(999), at(1000), /* lastError= */ null));
  }
}
