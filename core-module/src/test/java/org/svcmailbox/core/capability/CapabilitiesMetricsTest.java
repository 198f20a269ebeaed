package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.settings.FairShare;

class CapabilitiesMetricsTest {
  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();
  private final Capabilities capabilities =
      new Capabilities(
          new Capabilities.Terms(
              Map.of(),
              Duration.ofSeconds(30),
              Duration.ofHours(1),
              10,
              10,
              new FairShare(100),
              /* perAddress= */ 5,
              100),
          new Capabilities.Ports(store, new SecureRandom(), () -> 0, InstantSource.system()));

  private Map<String, Double> told() {
    Map<String, Double> told = new TreeMap<>();
    capabilities
        .metrics()
        .forEach(metric -> told.merge(metric.family().text(), metric.now(), Double::sum));
    return told;
  }

  @Test
  void whatIsKeptOfCapabilitiesAndRatesIsToldWithoutAskingTheDatabase() {
    assertEquals(
        Map.of(
            "capability_cache_size",
            0.0,
            "capability_cache_purges_total",
            0.0,
            "capability_believed_total",
            0.0,
            "rate_buckets",
            0.0,
            "bound_used",
            0.0,
            "bound_capacity",
            100_010.0),
        told());
    String token = capabilities.operatorCapability(Optional.empty()).orElseThrow();
    capabilities.authenticate(token, IpRange.address("127.0.0.1").orElseThrow());
    int asked = store.asked();
    assertEquals(1, told().get("capability_cache_size"));
    assertEquals(1, told().get("rate_buckets"));
    assertEquals(asked, store.asked());
    Caller operator = capabilities.authenticate(token, null);
    capabilities.mint(operator, List.of(), Duration.ofHours(1));
    assertEquals(3, told().get("bound_used"), "one minting, as counted before it; two beliefs");
  }
}
