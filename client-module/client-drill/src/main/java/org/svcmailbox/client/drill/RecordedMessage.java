package org.svcmailbox.client.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.client.Message;
import org.svcmailbox.test.history.Event.Verb;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/** A message whose settlement is entered in a history. */
final class RecordedMessage implements Message<byte[], byte[]> {
  private final Message<byte[], byte[]> message;
  private final HistoryRecorder recorder;

  RecordedMessage(Message<byte[], byte[]> message, HistoryRecorder recorder) {
    this.message = message;
    this.recorder = recorder;
  }

  @Override
  public void acknowledge() {
    enter(recorder.ack(id(), receiptHandle()), Verb.ACK, message::acknowledge);
  }

  @Override
  public void nack(Duration visibility, String reason) {
    enter(recorder.nack(id(), receiptHandle()), Verb.NACK, () -> message.nack(visibility, reason));
  }

  @Override
  public void extendVisibility(Duration timeout) {
    enter(
        recorder.extend(id(), receiptHandle(), timeout),
        Verb.EXTEND,
        () -> message.extendVisibility(timeout));
  }

  private static void enter(Call<Verb> call, Verb verb, Runnable settlement) {
    try {
      settlement.run();
      call.ok(verb);
    } catch (RuntimeException e) {
      RecordedMailbox.failed(call, e);
      throw e;
    }
  }

  @Override
  public String id() {
    return message.id();
  }

  @Override
  public byte[] body() {
    return message.body();
  }

  @Override
  public byte[] rawBody() {
    return message.rawBody();
  }

  @Override
  public String receiptHandle() {
    return message.receiptHandle();
  }

  @Override
  public int deliveryCount() {
    return message.deliveryCount();
  }

  @Override
  public Instant enqueuedAt() {
    return message.enqueuedAt();
  }

  @Override
  public Optional<String> replyTo() {
    return message.replyTo();
  }

  @Override
  public Map<String, String> attributes() {
    return message.attributes();
  }

  @Override
  public Optional<String> inReplyTo() {
    return message.inReplyTo();
  }

  @Override
  public Optional<String> correlationId() {
    return message.correlationId();
  }

  @Override
  public Optional<String> traceparent() {
    return message.traceparent();
  }

  @Override
  public Optional<String> tracestate() {
    return message.tracestate();
  }

  @Override
  public Optional<String> lastError() {
    return message.lastError();
  }

  @Override
  public String reply(byte[] body) {
    return message.reply(body);
  }

  @Override
  public boolean isFinalized() {
    return message.isFinalized();
  }
}
