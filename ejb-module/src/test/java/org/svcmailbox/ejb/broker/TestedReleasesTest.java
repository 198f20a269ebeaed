package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which releases of Artemis {@link RemoteBrokerCheck} lets pass. */
final class TestedReleasesTest {
  @ParameterizedTest
  @ValueSource(strings = {"2.44.0", "2.44.3", "2.52.0", "2.56.1", "2.60.0", "2.100.0"})
  void theClientsReleaseAndThoseFromTheMendedOneOnAreTested(String version) {
    assertTrue(RemoteBrokerCheck.isTested(version), version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2.4.0", "2.43.9", "2.45.0", "2.49.0", "2.50.0", "2.51.0", "2.5.0", "3.52.0", "1.52.0",
        "12.52.0", "2.52", "2.44", "7.13.0", ""
      })
  void anotherReleaseIsNot(String version) {
    assertFalse(RemoteBrokerCheck.isTested(version), version);
  }
}
