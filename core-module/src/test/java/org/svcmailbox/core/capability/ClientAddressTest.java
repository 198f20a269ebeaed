package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.capability.IpRange;

class ClientAddressTest {
  private static final List<IpRange> PROXIES =
      List.of(
          IpRange.parse("10.0.0.0/8").orElseThrow(), IpRange.parse("2001:db8::/32").orElseThrow());

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "203.0.113.1, none, 203.0.113.1",
        "203.0.113.1, '198.51.100.1', 203.0.113.1",
        "10.0.0.1, none, 10.0.0.1",
        "10.0.0.1, '198.51.100.1', 198.51.100.1",
        "10.0.0.1, '198.51.100.1, 203.0.113.9', 203.0.113.9",
        "10.0.0.1, '198.51.100.1, 10.1.1.1', 198.51.100.1",
        "10.0.0.1, '10.2.2.2, 10.1.1.1', 10.2.2.2",
        "10.0.0.1, '198.51.100.1, nonsense', 10.0.0.1",
        "10.0.0.1, 'nonsense, 10.1.1.1', 10.1.1.1",
        "10.0.0.1, '', 10.0.0.1",
        "10.0.0.1, ' 198.51.100.1 ', 198.51.100.1",
        "10.0.0.1, 'localhost', 10.0.0.1",
        "2001:db8::1, '2001:db9::7', 2001:db9::7",
        "10.0.0.1, '198.51.100.1:1234', 10.0.0.1"
      })
  void theNearestOneThatIsNoProxyIsTheClient(String peer, String forwarded, String client)
      throws Exception {
    assertEquals(InetAddress.getByName(client), new ClientAddress(PROXIES).of(peer, forwarded));
  }

  @Test
  void withoutProxiesNobodyIsBelieved() throws Exception {
    assertEquals(
        InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
        new ClientAddress(List.of()).of("127.0.0.1", "198.51.100.1"));
  }
}
