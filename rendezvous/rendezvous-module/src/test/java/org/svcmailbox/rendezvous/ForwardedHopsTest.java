package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedHopsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "for=192.0.2.1 | 192.0.2.1",
        "For=192.0.2.1;proto=https;by=203.0.113.43 | 192.0.2.1",
        "proto=https; for=192.0.2.1 | 192.0.2.1",
        "for=192.0.2.1, for=198.51.100.2 | 192.0.2.1,198.51.100.2",
        "for=\"[2001:db8::1]:4711\" | 2001:db8::1",
        "for=\"192.0.2.1:80\" | 192.0.2.1",
        "for=\"a,b\", for=192.0.2.1 | unknown,192.0.2.1",
        "for=unknown | unknown",
        "for=_hidden, for=192.0.2.1 | unknown,192.0.2.1",
        "proto=https | unknown",
        "for=192.0.2.1;for=192.0.2.2 | unknown",
        "by=\"for=192.0.2.9\" | unknown",
        "nonsense | unknown",
        "for=192.0.2.1, nonsense | unknown",
        "for=\"192.0.2.1 | unknown"
      })
  void eachElementIsAHop(String header, String hops) {
    assertEquals(hops, ForwardedHops.of(List.of(header)));
  }

  @Test
  void manyHeadersAreOneList() {
    assertEquals(
        "192.0.2.1,192.0.2.2", ForwardedHops.of(List.of("for=192.0.2.1", "for=192.0.2.2")));
  }
}
