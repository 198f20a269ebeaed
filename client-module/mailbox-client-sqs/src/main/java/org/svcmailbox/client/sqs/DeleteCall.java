package org.svcmailbox.client.sqs;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.spi.DriverDelivery;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;

/**
 * Deletes messages permanently. SQS lets a repeat succeed if the first attempt did, so a lost lease
 * counts as lost for a repeat too.
 */
final class DeleteCall extends BatchCall<DriverDelivery, Boolean> {
  private final Queue queue;
  private final SqsClient client;

  DeleteCall(Queue queue, SqsClient client, SqsRepeater repeater) {
    super("DeleteMessageBatch", true, repeater);
    this.queue = queue;
    this.client = client;
  }

  SqsTask<DriverDelivery, Boolean> task(DriverDelivery delivery) {
    return new SqsTask<>(delivery, 0);
  }

  @Override
  Answer<Boolean> request(List<SqsTask<DriverDelivery, Boolean>> batch) {
    List<DeleteMessageBatchRequestEntry> entries =
        batch.stream()
            .map(
                task ->
                    DeleteMessageBatchRequestEntry.builder()
                        .id(task.id)
                        .receiptHandle(SqsReceipt.parse(task.item.receiptHandle()).sqsHandle())
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
  void fail(SqsTask<DriverDelivery, Boolean> task, SqsFailure failure, boolean inDoubt) {
    Why why = failure.lostLease();
    if (why == null) {
      super.fail(task, failure, inDoubt);
    } else {
      task.fail(new ReceiptHandleExpiredException(task.item.id(), why));
    }
  }
}
