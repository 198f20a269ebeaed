package org.svcmailbox.it.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** SEND and RECV with bare payloads and their fields in headers. */
public final class OctetClient {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PREFIX = "mailbox-";
  private static final String EXTENDED = "UTF-8''";
  private static final Set<String> NUMBERS = Set.of("shard", "seq", "attempt", "visibility_ms");

  private final MailboxClient client;

  public OctetClient(MailboxClient client) {
    this.client = client;
  }

  /** Sends with any headers. */
  public MailboxAnswer send(Map<String, String> headers, byte[] payload) throws IOException {
    return client.withHeaders(headers).octets("/v1/send", payload);
  }

  /** Receives from a topic, and waits a while. */
  public MailboxAnswer recv(String topic) throws IOException {
    return recv(Map.of("Mailbox-Topic", topic, "Mailbox-Wait-Ms", "5000"));
  }

  /** Receives with any headers. */
  public MailboxAnswer recv(Map<String, String> headers) throws IOException {
    return client.withHeaders(headers).octets("/v1/recv", new byte[0]);
  }

  /** The message that an answer is, as JSON would have it. */
  public static Message message(MailboxAnswer answer) throws IOException {
    ObjectNode fields = MAPPER.createObjectNode();
    for (Map.Entry<String, List<String>> header : answer.headers().map().entrySet()) {
      if (header.getValue().size() != 1) {
        throw new AssertionError(header + " is there more than once");
      }
      put(fields, header.getKey().toLowerCase(Locale.ROOT), header.getValue().get(0));
    }
    return new Message(fields.put("payload", answer.body().bytes()));
  }

  private static void put(ObjectNode fields, String header, String value) throws IOException {
    boolean isField = header.startsWith(PREFIX);
    String name = isField ? header.substring(PREFIX.length()).replace('-', '_') : header;
    if (name.equals("attrs") || NUMBERS.contains(name)) {
      fields.set(name, MAPPER.readTree(value));
    } else if (isField || name.startsWith("trace")) {
      fields.put(name, text(value));
    } else if (name.equals("idempotency-key")) {
      fields.put("idem_key", text(value));
    }
  }

  private static String text(String value) {
    return value.startsWith(EXTENDED)
        ? URLDecoder.decode(
            value.substring(EXTENDED.length()).replace("+", "%2B"), StandardCharsets.UTF_8)
        : value;
  }
}
