package org.svcmailbox.client.sqs;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.spi.DriverDelivery;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;

/** Sets the ends of leases. */
final class ExtendCall extends BatchCall<ExtendCall.Wish, Boolean> {
  /** A lease, and in how many seconds it is to end. */
  record Wish(DriverDelivery delivery, int seconds) {}

  private final Queue queue;
  private final SqsClient client;

  ExtendCall(Queue queue, SqsClient client, SqsRepeater repeater) {
    super("ChangeMessageVisibilityBatch", true, repeater);
    this.queue = queue;
    this.client = client;
  }

  @Override
  Answer<Boolean> request(List<SqsTask<Wish, Boolean>> batch) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries =
        batch.stream()
            .map(
                task ->
                    ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(task.id)
                        .receiptHandle(
                            SqsReceipt.parse(task.item.delivery().receiptHandle()).sqsHandle())
                        .visibilityTimeout(task.item.seconds())
                        .build())
            .toList();
    ChangeMessageVisibilityBatchResponse response =
        client.changeMessageVisibilityBatch(
            request -> request.queueUrl(queue.url()).entries(entries));
    return new Answer<>(
        response.successful().stream()
            .collect(toMap(ChangeMessageVisibilityBatchResultEntry::id, extended -> true)),
        response.failed());
  }

  @Override
  void fail(SqsTask<Wish, Boolean> task, SqsFailure failure, boolean inDoubt) {
    Why why = failure.lostLease();
    if (why == null) {
      super.fail(task, failure, inDoubt);
    } else {
      task.fail(new ReceiptHandleExpiredException(task.item.delivery().id(), why));
    }
  }
}
