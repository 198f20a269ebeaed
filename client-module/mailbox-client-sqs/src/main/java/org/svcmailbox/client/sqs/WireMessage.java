package org.svcmailbox.client.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.spi.EncodedBody;
import org.svcmailbox.client.spi.EncodedMessage;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * A message in the format of SQS. Its body is text if SQS accepts it as text, otherwise base64.
 * Attributes of the sender become SQS attributes if SQS accepts them. The header contains all other
 * fields; a message without such fields has no header.
 */
final class WireMessage {
  static final String REPLY_TO = "mailbox.reply_to";
  static final String HEADER = "mailbox.header";

  private static final String BASE64 = "base64";
  private static final String EMPTY = "empty";

  /** Replaces an empty body, which SQS refuses. */
  private static final String NOTHING = "-";

  private static final String STRING = "String";

  private static final Pattern NAME =
      Pattern.compile("(?!(?i:aws|amazon)\\.)[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  /** Writes only ASCII, so that SQS accepts every value as text. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS))
          .build();

  /**
   * The fields that travel with body and attributes.
   *
   * @param encoding of the body; null for text
   * @param attributes that SQS does not accept
   */
  record Header(
      @Nullable String encoding,
      @Nullable String correlationId,
      @Nullable String traceparent,
      @Nullable String tracestate,
      @Nullable Map<String, String> attributes) {
    static final Header NONE = new Header(null, null, null, null, null);
  }

  final String body;
  final Map<String, MessageAttributeValue> attributes;

  /** The size that SQS counts towards its limits. */
  final int bytes;

  private WireMessage(String body, Map<String, MessageAttributeValue> attributes) {
    this.body = body;
    this.attributes = attributes;
    this.bytes =
        utf8(body)
            + attributes.entrySet().stream()
                .mapToInt(
                    e -> utf8(e.getKey()) + STRING.length() + utf8(e.getValue().stringValue()))
                .sum();
  }

  static WireMessage of(EncodedMessage message) {
    byte[] bytes = message.payload().bytes();
    String text = text(bytes);
    String encoding = null;
    String body = text;
    if (bytes.length == 0) {
      encoding = EMPTY;
      body = NOTHING;
    } else if (body == null) {
      encoding = BASE64;
      body = Base64.getEncoder().encodeToString(bytes);
    }
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    Map<String, String> others = new HashMap<>();
    message
        .attributes()
        .forEach(
            (name, value) -> {
              if (NAME.matcher(name).matches() && isText(value)) {
                attributes.put(name, attribute(value));
              } else {
                others.put(name, value);
              }
            });
    if (message.replyTo() != null) {
      attributes.put(REPLY_TO, attribute(message.replyTo()));
    }
    String header =
        json(
            new Header(
                encoding,
                message.correlationId(),
                message.traceparent(),
                message.tracestate(),
                others));
    if (!header.equals("{}")) {
      attributes.put(HEADER, attribute(header));
    }
    return new WireMessage(body, attributes);
  }

  /** The bytes as text that SQS accepts; null if they are not such text. */
  private static @Nullable String text(byte[] bytes) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return isText(text) ? text : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /**
   * Whether SQS accepts well-formed Unicode: it must not be empty, and only characters of XML are
   * allowed.
   */
  private static boolean isText(String wellFormed) {
    return !wellFormed.isEmpty()
        && wellFormed
            .chars()
            .allMatch(c -> c >= ' ' ? c < '\ufffe' : c == '\t' || c == '\n' || c == '\r');
  }

  private static MessageAttributeValue attribute(String value) {
    return MessageAttributeValue.builder().dataType(STRING).stringValue(value).build();
  }

  private static String json(Header header) {
    try {
      return JSON.writeValueAsString(header);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a header of strings", e);
    }
  }

  private static int utf8(String text) {
    return text.getBytes(UTF_8).length;
  }

  /** Reads a message of any sender. If it is malformed, only reading its body fails. */
  static EncodedMessage read(Message message) {
    Map<String, String> attributes = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> attributes.put(name, string(value)));
    String replyTo = attributes.remove(REPLY_TO);
    String headerJson = attributes.remove(HEADER);
    try {
      Header header = headerJson == null ? Header.NONE : JSON.readValue(headerJson, Header.class);
      if (header.attributes() != null) {
        attributes.putAll(Map.copyOf(header.attributes()));
      }
      return message(payload(message, header), replyTo, attributes, header);
    } catch (JsonProcessingException | RuntimeException e) {
      EncodedBody altered = altered(message, "the message has a header that no mailbox wrote");
      return message(altered, replyTo, attributes, Header.NONE);
    }
  }

  private static String string(MessageAttributeValue value) {
    return value.stringValue() != null
        ? value.stringValue()
        : Base64.getEncoder().encodeToString(value.binaryValue().asByteArray());
  }

  private static EncodedBody payload(Message message, Header header) {
    if (!Digests.md5(message.body()).equals(message.md5OfBody())) {
      return altered(message, "the body's MD5 is not what SQS says");
    }
    if (header.encoding() == null) {
      return EncodedBody.of(message.body().getBytes(UTF_8));
    }
    return switch (header.encoding()) {
      case EMPTY -> EncodedBody.of(new byte[0]);
      case BASE64 -> EncodedBody.of(Base64.getDecoder().decode(message.body()));
      default -> altered(message, "the body has an encoding that no mailbox writes");
    };
  }

  private static EncodedBody altered(Message message, String what) {
    return EncodedBody.altered(message.body().getBytes(UTF_8), new IntegrityException(what));
  }

  private static EncodedMessage message(
      EncodedBody payload,
      @Nullable String replyTo,
      Map<String, String> attributes,
      Header header) {
    return new EncodedMessage(
        payload,
        replyTo,
        null,
        null,
        Duration.ZERO,
        Map.copyOf(attributes),
        header.correlationId(),
        header.traceparent(),
        header.tracestate());
  }
}
