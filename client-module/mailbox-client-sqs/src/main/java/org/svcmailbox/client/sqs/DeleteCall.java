package org.svcmailbox.client.sqs;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.spi.Delivery;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;

/**
 * Deletes messages for good. SQS lets a repeat succeed whose first attempt did, so a lost lease is
 * one also for a repeat.
 */
final class DeleteCall extends BatchCall<Delivery, Boolean> {
  private final Queue queue;
  private final SqsClient client;

  DeleteCall(Queue queue, SqsClient client, Repeater repeater) {
    super("DeleteMessageBatch", true, repeater);
    this.queue = queue;
    this.client = client;
  }

  Task<Delivery, Boolean> task(Delivery delivery) {
    return new Task<>(delivery, 0);
  }

  @Override
  Answer<Boolean> request(List<Task<Delivery, Boolean>> batch) {
    List<DeleteMessageBatchRequestEntry> entries =
        batch.stream()
            .map(
                task ->
                    DeleteMessageBatchRequestEntry.builder()
                        .id(task.id)
                        .receiptHandle(Receipt.parse(task.item.receiptHandle()).sqsHandle())
                        .build())
            .toList();
    DeleteMessageBatchResponse response =
        client.deleteMessageBatch(request -> request.queueUrl(queue.url()).entries(entries));
    return new Answer<>(
        response.successful().stream()
            .collect(toMap(DeleteMessageBatchResultEntry::id, deleted -> true)),
        response.failed());
  }

  @Override
  void fail(Task<Delivery, Boolean> task, Failure failure, boolean inDoubt) {
    Why why = failure.lostLease();
    if (why == null) {
      super.fail(task, failure, inDoubt);
    } else {
      task.fail(new ReceiptHandleExpiredException(task.item.id(), why));
    }
  }
}
