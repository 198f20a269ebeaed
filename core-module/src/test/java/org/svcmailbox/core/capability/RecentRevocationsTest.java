package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.time.TestTime;

class RecentRevocationsTest {
  private static final byte[] NONCE = new byte[CapabilityId.NONCE_BYTES];

  private final TestTime time = new TestTime();

  @ParameterizedTest
  @CsvSource({"5, 300", "300, 300", "3600, 3600"})
  void aRevocationIsKeptForTheLongestOutageAndFiveMinutesAtLeast(long outage, long kept) {
    RecentRevocations recent = new RecentRevocations(Duration.ofSeconds(outage), time::nanos);
    CapabilityId one = new CapabilityId("k1", "0123456789abcdef".repeat(2));
    CapabilityId ofKey = CapabilityId.of("k2", NONCE);
    recent.nonce(one.nonce(), "k1");
    recent.key("k2");
    time.advance(Duration.ofSeconds(kept).minusMillis(1));
    assertTrue(recent.contains(one));
    assertTrue(recent.contains(ofKey));
    assertEquals(Map.of(one.nonce(), Optional.of("k1")), recent.nonces());
    assertEquals(Set.of("k2"), recent.keys());
    time.advance(Duration.ofMillis(1));
    assertFalse(recent.contains(one));
    assertFalse(recent.contains(ofKey));
  }
}
