package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import org.svcmailbox.client.service.StreamMessages;
import org.svcmailbox.client.spi.Delivery;

/**
 * How the messages of a stream are read.
 *
 * @param <M> a message with its receipt
 */
interface StreamFormat<M> extends StreamMessages<M> {
  /**
   * Reads a line.
   *
   * @throws IOException if it is none
   */
  StreamLine<M> read(byte[] line) throws IOException;

  /** Messages with their checks, of a mailbox. */
  static StreamFormat<Delivery> deliveries(String mailbox) {
    ObjectReader reader =
        Json.MAPPER.readerFor(new TypeReference<StreamLine<Received.Leased>>() {});
    return new StreamFormat<>() {
      @Override
      public StreamLine<Delivery> read(byte[] line) throws IOException {
        StreamLine<Received.Leased> read = reader.readValue(line);
        Received.Leased leased = requireNonNull(read, "line").message();
        return read.with(leased == null ? null : Received.delivery(leased, mailbox));
      }

      @Override
      public String receipt(Delivery message) {
        return message.receiptHandle();
      }

      @Override
      public int bytes(Delivery message) {
        return message.message().payload().size();
      }
    };
  }

  /** Messages as the service writes them. */
  static StreamFormat<JsonNode> json() {
    ObjectReader reader = Json.MAPPER.readerFor(new TypeReference<StreamLine<JsonNode>>() {});
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
