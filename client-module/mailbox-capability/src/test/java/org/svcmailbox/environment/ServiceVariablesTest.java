package org.svcmailbox.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceVariablesTest {
  /** Each variable of a Service with a named and an unnamed port, of each protocol. */
  @ParameterizedTest
  @ValueSource(
      strings = {"MAILBOX", "MAILBOX_BROKER", "MAILBOX_GRPC", "MAILBOX_WORKER_2", "SEA_MQ"})
  void allVariablesOfAServiceAreThePlatforms(String service) {
    Map<String, String> set =
        Map.of(
            service + "_SERVICE_HOST", "10.0.0.1",
            service + "_SERVICE_PORT", "9555",
            service + "_SERVICE_PORT_GRPC_TLS", "9556",
            service + "_PORT", "tcp://10.0.0.1:9555",
            service + "_PORT_9555_TCP", "tcp://10.0.0.1:9555",
            service + "_PORT_9555_TCP_PROTO", "tcp",
            service + "_PORT_9555_TCP_PORT", "9555",
            service + "_PORT_53_UDP_ADDR", "fd00::1",
            service + "_PORT_132_SCTP", "sctp://[fd00::1]:132");
    assertEquals(Map.of(), ServiceVariables.without(set));
  }

  @ParameterizedTest
  @CsvSource({
    "MAILBOX_GRPC_PORT,       9555",
    "MAILBOX_PORT,            8080",
    "MAILBOX_PORT_OFFSET,     tcp://10.0.0.1:80",
    "MAILBOX_PORT_8080,       8080",
    "MAILBOX_PORT_X_TCP,      tcp://10.0.0.1:80",
    "MAILBOX_PORT_80_HTTP,    tcp://10.0.0.1:80",
    "MAILBOX_BROKER_URL,      tcp://10.0.0.1:61616",
    "MAILBOX_SERVICE,         mailbox",
    "MAILBOX_SERVICE_HOSTS,   10.0.0.1",
    "SERVICE_HOST,            10.0.0.1"
  })
  void othersAreNot(String name, String value) {
    assertFalse(ServiceVariables.isOne(name, value));
    assertTrue(ServiceVariables.without(Map.of(name, value)).containsKey(name));
  }
}
