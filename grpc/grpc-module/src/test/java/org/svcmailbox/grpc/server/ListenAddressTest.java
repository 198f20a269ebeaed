package org.svcmailbox.grpc.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  private static InetSocketAddress of(
      boolean isTls, Map<String, String> properties, Map<String, String> variables) {
    return ListenAddress.of(9_555, isTls, properties::get, variables::get);
  }

  @ParameterizedTest
  @CsvSource({
    "false, '', '', 127.0.0.1, 9555",
    "true, '', '', 0.0.0.0, 9555",
    "false, 0.0.0.0, 100, 0.0.0.0, 9655",
    "true, 127.0.0.1, 0, 127.0.0.1, 9555",
    "false, *, '', 0.0.0.0, 9555",
    "false, ::1, '', 0:0:0:0:0:0:0:1, 9555"
  })
  void theAddressIsThatOfHttp(boolean isTls, String bind, String offset, String host, int port) {
    InetSocketAddress found =
        of(isTls, Map.of(), Map.of("MAILBOX_BIND", bind, "MAILBOX_PORT_OFFSET", offset));
    assertEquals(host, found.getAddress().getHostAddress());
    assertEquals(port, found.getPort());
  }

  @Test
  void propertiesOfTheServerComeFirst() {
    InetSocketAddress found =
        of(
            false,
            Map.of("jboss.bind.address", "127.0.0.2", "jboss.socket.binding.port-offset", "7"),
            Map.of("MAILBOX_BIND", "127.0.0.3", "MAILBOX_PORT_OFFSET", "8"));
    assertEquals("127.0.0.2", found.getAddress().getHostAddress());
    assertEquals(9_562, found.getPort());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "60000", "-9555", "99999999999"})
  void anOffsetThatLeadsNowhereIsRefused(String offset) {
    assertThrows(
        IllegalStateException.class,
        () -> of(false, Map.of(), Map.of("MAILBOX_PORT_OFFSET", offset)));
  }
}
