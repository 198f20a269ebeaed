package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import org.svcmailbox.client.service.MessageView;
import org.svcmailbox.client.spi.DriverDelivery;

/**
 * How the messages of a stream are read.
 *
 * @param <M> a message with its receipt
 */
interface StreamFormat<M> extends MessageView<M> {
  /**
   * Reads a line.
   *
   * @throws IOException if it is none
   */
  StreamLine<M> read(byte[] line) throws IOException;

  /** Messages with their checks, of a mailbox. */
  static StreamFormat<DriverDelivery> deliveries(String mailbox) {
    ObjectReader reader =
        HttpJson.MAPPER.readerFor(new TypeReference<StreamLine<RecvAnswer.Leased>>() {});
    return new StreamFormat<>() {
      @Override
      public StreamLine<DriverDelivery> read(byte[] line) throws IOException {
        StreamLine<RecvAnswer.Leased> read = reader.readValue(line);
        RecvAnswer.Leased leased = requireNonNull(read, "line").message();
        return read.with(leased == null ? null : RecvAnswer.delivery(leased, mailbox));
      }

      @Override
      public String receipt(DriverDelivery message) {
        return message.receiptHandle();
      }

      @Override
      public int bytes(DriverDelivery message) {
        return message.message().payload().size();
      }
    };
  }

  /** Messages as the service writes them. */
  static StreamFormat<JsonNode> json() {
    ObjectReader reader = HttpJson.MAPPER.readerFor(new TypeReference<StreamLine<JsonNode>>() {});
    return new StreamFormat<>() {
      @Override
      public StreamLine<JsonNode> read(byte[] line) throws IOException {
        return requireNonNull(reader.<StreamLine<JsonNode>>readValue(line), "line");
      }

      @Override
      public String receipt(JsonNode message) {
        return message.path("receipt").asText();
      }

      @Override
      public int bytes(JsonNode message) {
        return message.path("payload").asText().length();
      }
    };
  }
}
