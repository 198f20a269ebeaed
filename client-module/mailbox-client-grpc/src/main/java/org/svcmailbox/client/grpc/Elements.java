package org.svcmailbox.client.grpc;

import com.google.protobuf.UnsafeByteOperations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.CheckedMessage;
import org.svcmailbox.client.service.StreamTerms;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Extend;
import org.svcmailbox.proto.v1.Nack;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.Resume;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Settle;

/** The requests of calls, and their elements. */
final class Elements {
  private Elements() {}

  /** A message that shares the bytes of its body. */
  static SendRequest send(String topic, EncodedMessage message, String key) {
    SendRequest.Builder send =
        SendRequest.newBuilder()
            .setTopic(topic)
            .setIdemKey(key)
            .setPayload(UnsafeByteOperations.unsafeWrap(message.payload().bytes()))
            .putAllAttrs(message.attributes())
            .setCorrId(text(message.correlationId()))
            .setShardKey(text(message.group()))
            .setTraceparent(text(message.traceparent()))
            .setTracestate(text(message.tracestate()));
    if (message.replyTo() != null) {
      send.putAttrs(CheckedMessage.REPLY_TO, message.replyTo());
    }
    if (!message.delay().isZero()) {
      send.setDelayMs(millis(message.delay()));
    }
    return send.build();
  }

  /** An acknowledgement. */
  static Settle acknowledge(DriverDelivery delivery) {
    return Settle.newBuilder()
        .addAcks(Ack.newBuilder().setMsgId(delivery.id()).setReceipt(delivery.receiptHandle()))
        .build();
  }

  /** A nack. */
  static Settle nack(DriverDelivery delivery, Duration delay, String reason) {
    return Settle.newBuilder()
        .addNacks(
            Nack.newBuilder()
                .setMsgId(delivery.id())
                .setReceipt(delivery.receiptHandle())
                .setDelayMs(millis(delay))
                .setReason(wellFormed(reason)))
        .build();
  }

  /** An extension. */
  static Settle extend(DriverDelivery delivery, Duration visibility) {
    return Settle.newBuilder()
        .addExtends(
            Extend.newBuilder()
                .setMsgId(delivery.id())
                .setReceipt(delivery.receiptHandle())
                .setVisibilityMs(millis(visibility)))
        .build();
  }

  /** A RECV; without a visibility, the topic's own applies. */
  static RecvRequest receive(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait) {
    RecvRequest.Builder receive =
        RecvRequest.newBuilder()
            .setTopic(topic)
            .setMaxMessages(maxMessages)
            .setMaxBytes(StreamTerms.WINDOW_BYTES)
            .setWaitMs(millis(wait));
    if (visibility != null) {
      receive.setVisibilityMs(millis(visibility));
    }
    return receive.build();
  }

  /** The opening of a stream. */
  static Open open(String topic, StreamTerms request) {
    Open.Builder open =
        Open.newBuilder()
            .setTopic(topic)
            .setWindow(request.window())
            .setWindowBytes(StreamTerms.WINDOW_BYTES);
    if (request.visibility() != null) {
      open.setVisibilityMs(millis(request.visibility()));
    }
    StreamTerms.Resume resume = request.resume();
    if (resume != null) {
      open.setResume(Resume.newBuilder().setStream(resume.stream()).setLast(resume.last()));
    }
    return open.build();
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Whole milliseconds, rounded up. */
  private static long millis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  /** The text with replacements for lone surrogates, which UTF-8 cannot encode. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
