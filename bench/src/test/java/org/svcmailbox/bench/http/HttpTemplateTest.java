package org.svcmailbox.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpTemplateTest {
  private static final URI SERVER = URI.create("http://127.0.0.1:8080");

  @Test
  void keysReplacePlaceholdersAndContentLengthMatches() {
    String body = "{\"a\":\"" + HttpTemplate.KEY + "\",\"b\":\"" + HttpTemplate.KEY + "\"}";
    HttpTemplate template = HttpTemplate.of(SERVER, "POST /v1/send", "A: b\r\n", body);
    Iterator<String> keys = List.of("000000000001", "000000000002").iterator();
    assertEquals(
        "POST /v1/send HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nA: b\r\nContent-Length: 39\r\n\r\n"
            + "{\"a\":\"000000000001\",\"b\":\"000000000002\"}",
        new String(template.bytes(keys::next), StandardCharsets.ISO_8859_1));
  }
}
