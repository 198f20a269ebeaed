package org.svcmailbox.web.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.web.header.HeaderField;

/** The document and the code name the same headers. */
class OctetDocumentTest {
  private final JsonNode document = document();

  private static JsonNode document() {
    try (InputStream yaml = OctetDocumentTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      return new YAMLMapper().readTree(yaml);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Set<String> parameters(String path) {
    Set<String> names = new TreeSet<>();
    for (JsonNode parameter : document.path("paths").path(path).path("post").path("parameters")) {
      JsonNode target = document.at(parameter.path("$ref").asText().substring(1));
      assertEquals("header", target.path("in").asText());
      names.add(target.path("name").asText());
    }
    names.removeAll(Set.of("traceparent", "tracestate"));
    return names;
  }

  private static Set<String> headers(Set<HeaderField> fields) {
    return fields.stream().map(HeaderField::header).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theHeadersOfTheRequestsAreDocumented() {
    assertEquals(headers(OctetRequests.SEND_FIELDS), parameters("/v1/send"));
    assertEquals(headers(OctetRequests.RECV_FIELDS), parameters("/v1/recv"));
  }

  @Test
  void theHeadersOfAMessageAreDocumented() {
    StoredMessage plain =
        SampleMessages.message(
            new ShardId(new TopicName("t"), 0),
            1,
            Instant.EPOCH,
            new byte[1],
            Attributes.NONE,
            new Signature("s"));
    StoredMessage message =
        new StoredMessage(
                plain.envelope(), plain.payload(), null, Instant.EPOCH, SampleMessages.TRACE)
            .failed(SampleMessages.refused(1, "no basket"), Instant.EPOCH);
    Set<String> documented = new TreeSet<>();
    document
        .at("/paths/~1v1~1recv/post/responses/200/headers")
        .fieldNames()
        .forEachRemaining(documented::add);
    Set<String> given =
        new TreeSet<>(
            ReceivedHeaders.of(new LeasedMessage(message, new Receipt("r"), Duration.ZERO))
                .keySet());
    assertEquals(given, documented);
  }
}
