package org.svcmailbox.client.sqs;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.UUID;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.spi.EncodedMessage;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * Sends messages. On a FIFO queue each message has a deduplication id, so sending it twice adds one
 * message; on a standard queue it would add two.
 */
final class SendCall extends BatchCall<SendMessageBatchRequestEntry.Builder, Sent> {
  /** The group of messages that have none. */
  private static final String ONE_FOR_ALL = "mailbox";

  private final Queue queue;
  private final SqsClient client;

  SendCall(Queue queue, SqsClient client, SqsRepeater repeater) {
    super("SendMessageBatch", queue.isFifo(), repeater);
    this.queue = queue;
    this.client = client;
  }

  /** A message to send. The task fails at once if SQS would not accept the message. */
  SqsTask<SendMessageBatchRequestEntry.Builder, Sent> task(EncodedMessage message) {
    WireMessage wire = WireMessage.of(message);
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder()
            .messageBody(wire.body)
            .messageAttributes(wire.attributes);
    if (!message.delay().isZero()) {
      entry.delaySeconds(Seconds.atLeast(message.delay()));
    }
    if (queue.isFifo()) {
      String key = message.key() != null ? message.key() : UUID.randomUUID().toString();
      entry.messageDeduplicationId(FifoId.of(key));
      entry.messageGroupId(FifoId.of(message.group() != null ? message.group() : ONE_FOR_ALL));
    }
    SqsTask<SendMessageBatchRequestEntry.Builder, Sent> task = new SqsTask<>(entry, wire.bytes);
    int most = queue.features().maxBodyBytes();
    if (wire.bytes > most) {
      task.fail(
          new SerializationException(
              "with attributes and encoding, the message has "
                  + wire.bytes
                  + " bytes, more than "
                  + most));
    }
    return task;
  }

  @Override
  Answer<Sent> request(List<SqsTask<SendMessageBatchRequestEntry.Builder, Sent>> batch) {
    List<SendMessageBatchRequestEntry> entries =
        batch.stream().map(task -> task.item.id(task.id).build()).toList();
    SendMessageBatchResponse response =
        client.sendMessageBatch(request -> request.queueUrl(queue.url()).entries(entries));
    return new Answer<>(
        response.successful().stream()
            .collect(
                toMap(SendMessageBatchResultEntry::id, sent -> new Sent(sent.messageId(), false))),
        response.failed());
  }
}
