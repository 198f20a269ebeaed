package org.svcmailbox.client.sqs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Extension;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.BatchTask;
import org.svcmailbox.client.spi.Batcher;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;
import org.svcmailbox.client.spi.MailboxThreads;
import org.svcmailbox.client.spi.OpenCalls;
import org.svcmailbox.client.sqs.SqsRepeater.FailedException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A queue at SQS. */
final class SqsDriver implements MailboxDriver {
  /** How many requests of one kind may be outstanding. */
  static final int REQUESTS = 8;

  private static final QueueAttributeName[] COUNTS = {
    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED
  };

  private final Queue queue;
  private final SqsClient client;
  private final Duration flush;
  private final Duration longestCall;
  private final SqsRepeater repeater;
  private final OpenCalls calls;
  private final ExecutorService threads;
  private final SqsPolls polls;
  private final SendCall sendCall;
  private final DeleteCall deleteCall;
  private final ExtendCall extendCall;
  private final Batcher<SqsTask<SendMessageBatchRequestEntry.Builder, Sent>> sends;
  private final Batcher<SqsTask<DriverDelivery, Boolean>> acknowledgements;

  /**
   * @param client closed with the driver
   */
  SqsDriver(Queue queue, SqsClient client, SqsMailbox.Builder<?, ?> from) {
    this.queue = queue;
    this.client = client;
    this.flush = from.flush;
    this.longestCall = from.socketTimeout();
    this.repeater = new SqsRepeater(from.callTimeout);
    this.calls = new OpenCalls(queue.name(), MailboxClock.system());
    this.threads = MailboxThreads.of(queue.name());
    this.polls = new SqsPolls(queue, client, repeater, calls, threads, from.longestPoll);
    this.sendCall = new SendCall(queue, client, repeater);
    this.extendCall = new ExtendCall(queue, client, repeater);
    this.deleteCall = new DeleteCall(queue, client, repeater);
    // One request at a time keeps the order, which is the purpose of a FIFO queue.
    this.sends = batcher(sendCall, queue.isFifo() ? 1 : REQUESTS, from.linger, from);
    this.acknowledgements = batcher(deleteCall, REQUESTS, Duration.ZERO, from);
  }

  private <I, A> Batcher<SqsTask<I, A>> batcher(
      BatchCall<I, A> call, int requests, Duration linger, SqsMailbox.Builder<?, ?> from) {
    return new Batcher<>(
        calls,
        call::run,
        threads,
        new Batcher.Bounds(
            requests,
            from.bufferMessages,
            from.bufferBytes,
            features().maxBatch(),
            queue.batchBytes(),
            linger));
  }

  @Override
  public String location() {
    return queue.url();
  }

  @Override
  public BackendFeatures features() {
    return queue.features();
  }

  @Override
  public Sent send(EncodedMessage message) {
    return sendAll(List.of(message)).get(0).orThrow();
  }

  @Override
  public List<SendResult> sendAll(List<EncodedMessage> messages) {
    return calls.underWay(
        () -> {
          var tasks = messages.stream().map(sendCall::task).toList();
          sends.runAll(tasks);
          return tasks.stream().map(BatchTask::sendResult).toList();
        });
  }

  @Override
  public CompletionStage<Sent> sendAsync(EncodedMessage message) {
    var task = sendCall.task(message);
    if (!task.isDone()) {
      sends.add(task);
    }
    return task.stage();
  }

  @Override
  public List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    calls.begin();
    try {
      return polls.receive(maxMessages, visibility, wait);
    } finally {
      calls.end();
    }
  }

  @Override
  public void acknowledge(DriverDelivery delivery) {
    SqsTask<DriverDelivery, Boolean> task = deleteCall.task(delivery);
    acknowledgements.add(task);
    boolean unused = task.await();
  }

  @Override
  public void nack(DriverDelivery delivery, Duration visibility, String reason) {
    // If a repeat finds no lease, the message has already returned, as intended.
    changeVisibility(delivery, visibility, true);
  }

  @Override
  public void extend(DriverDelivery delivery, Duration timeout) {
    changeVisibility(delivery, timeout, false);
  }

  @Override
  public int maxExtensions() {
    return features().maxBatch();
  }

  @Override
  public List<Optional<RuntimeException>> extendAll(
      List<DriverDelivery> deliveries, Extension extension) {
    return calls.underWay(
        () -> {
          var tasks = deliveries.stream().map(each -> task(each, extension.timeout())).toList();
          var open = tasks.stream().filter(task -> !task.isDone()).toList();
          if (!open.isEmpty()) {
            extendCall.run(open);
          }
          return tasks.stream().map(BatchTask::failure).toList();
        });
  }

  private SqsTask<ExtendCall.Wish, Boolean> task(DriverDelivery delivery, Duration timeout) {
    SqsReceipt receipt = SqsReceipt.parse(delivery.receiptHandle());
    SqsTask<ExtendCall.Wish, Boolean> task =
        new SqsTask<>(new ExtendCall.Wish(delivery, seconds(receipt, timeout)), 0);
    if (left(receipt).isNegative()) {
      task.fail(new ReceiptHandleExpiredException(delivery.id(), Why.EXPIRED));
    }
    return task;
  }

  /** How much longer SQS lets a lease last. */
  private Duration left(SqsReceipt receipt) {
    return receipt.left(features().maxVisibility(), System.nanoTime());
  }

  private int seconds(SqsReceipt receipt, Duration visibility) {
    return Math.min(Seconds.atLeast(visibility), (int) left(receipt).toSeconds());
  }

  private void changeVisibility(DriverDelivery delivery, Duration visibility, boolean mayBeGone) {
    SqsReceipt receipt = SqsReceipt.parse(delivery.receiptHandle());
    if (left(receipt).isNegative()) {
      throw new ReceiptHandleExpiredException(delivery.id(), Why.EXPIRED);
    }
    ChangeMessageVisibilityRequest request =
        ChangeMessageVisibilityRequest.builder()
            .queueUrl(queue.url())
            .receiptHandle(receipt.sqsHandle())
            .visibilityTimeout(seconds(receipt, visibility))
            .build();
    calls.underWay(
        () -> {
          try {
            return repeater.attempt(
                "ChangeMessageVisibility",
                true,
                inDoubt -> client.changeMessageVisibility(request));
          } catch (FailedException e) {
            Why why = e.failure.lostLease();
            if (why == null) {
              throw e.toThrow();
            }
            if (e.inDoubt && mayBeGone) {
              return e;
            }
            throw new ReceiptHandleExpiredException(delivery.id(), why);
          }
        });
  }

  @Override
  public OptionalLong purge() {
    return calls.underWay(
        () -> {
          try {
            repeater.attempt(
                "PurgeQueue",
                true,
                inDoubt -> client.purgeQueue(request -> request.queueUrl(queue.url())));
          } catch (FailedException e) {
            // If an earlier attempt is in doubt, the purge in progress is this one.
            if (!(e.inDoubt && e.failure.code().equals(SqsFailure.PURGE_IN_PROGRESS))) {
              throw e.toThrow();
            }
          }
          return OptionalLong.empty();
        });
  }

  @Override
  public long approximateCount() {
    Map<QueueAttributeName, String> counts =
        calls.underWay(
            () ->
                repeater.call(
                    "GetQueueAttributes",
                    true,
                    inDoubt ->
                        client
                            .getQueueAttributes(
                                request -> request.queueUrl(queue.url()).attributeNames(COUNTS))
                            .attributes()));
    return counts.values().stream().mapToLong(Long::parseLong).sum();
  }

  @Override
  public void close() {
    boolean unused = calls.beginClosing();
    sends.flush();
    acknowledgements.flush();
    calls.awaitEnds(flush);
    sends.abandon();
    acknowledgements.abandon();
    // Only polls and stalled calls remain.
    calls.awaitEnds(longestCall);
    threads.shutdown();
    client.close();
  }
}
