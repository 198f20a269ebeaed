package org.svcmailbox.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartLinesTest {
  private final Map<String, String> announced = new HashMap<>();
  private final List<String> logged = new ArrayList<>();
  private boolean isBooting;
  private final StartLines lines =
      new StartLines(
          () -> isBooting, announced::get, () -> Optional.of("http://127.0.0.1:8080"), logged::add);

  @Test
  void theLinesComeOnceAndNotBeforeTheApplicationServesWithAllOfThem() {
    lines.look();
    announced.put(ApplicationWatch.STATE, ApplicationWatch.SERVING);
    announced.put(StartLines.CONSOLE, "password in /data/console.password");
    lines.look();
    assertEquals(List.of(), logged);
    announced.put(StartLines.CAPABILITY, "/data/operator.cap");
    isBooting = true;
    lines.look();
    assertEquals(List.of(), logged, "the server has a line to log");
    isBooting = false;
    lines.look();
    lines.look();
    assertEquals(
        List.of(
            "The mailbox server is ready",
            "Address: http://127.0.0.1:8080",
            "Console: http://127.0.0.1:8080/console/, password in /data/console.password",
            "Capability: /data/operator.cap"),
        logged);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, http://127.0.0.1:80",
    "::1,       http://[0:0:0:0:0:0:0:1]:80",
    "0.0.0.0,   http://localhost:80",
    "::,        http://localhost:80"
  })
  void aUrlHasALiteralAddressAndEveryAddressIsLocalhost(String address, String url)
      throws UnknownHostException {
    assertEquals(
        url, ServerAddress.url("http", new InetSocketAddress(InetAddress.getByName(address), 80)));
  }
}
