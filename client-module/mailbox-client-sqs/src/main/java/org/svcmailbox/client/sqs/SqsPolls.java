package org.svcmailbox.client.sqs;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.OpenCalls;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * Receives messages. A poll is never aborted, because SQS would hide its messages until their
 * leases end. If the caller was interrupted meanwhile, or the mailbox closes, the messages are
 * released.
 */
final class SqsPolls {
  private static final Logger LOG = System.getLogger(SqsMailbox.class.getName());
  private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

  private final Queue queue;
  private final SqsClient client;
  private final SqsRepeater repeater;
  private final OpenCalls calls;
  private final ExecutorService threads;
  private final Duration longest;

  /**
   * @param threads not interrupted by anything
   * @param longest the longest poll; a longer wait consists of several
   */
  SqsPolls(
      Queue queue,
      SqsClient client,
      SqsRepeater repeater,
      OpenCalls calls,
      ExecutorService threads,
      Duration longest) {
    this.queue = queue;
    this.client = client;
    this.repeater = repeater;
    this.calls = calls;
    this.threads = threads;
    this.longest = longest;
  }

  /**
   * Polls until there are messages, the wait is over, or the mailbox closes.
   *
   * @throws InterruptedException if the thread is interrupted; no message is held then
   */
  List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    int seconds = Seconds.atLeast(shorter(wait));
    while (true) {
      List<DriverDelivery> taken = poll(maxMessages, visibility, seconds);
      if (!taken.isEmpty()) {
        return taken;
      }
      // SQS does not end a poll to the nanosecond, and half a second is not worth another poll.
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (left.compareTo(HALF_A_SECOND) < 0 || !calls.isOpen()) {
        return List.of();
      }
      seconds = Seconds.atLeast(shorter(left.minus(HALF_A_SECOND)));
    }
  }

  private Duration shorter(Duration wait) {
    return wait.compareTo(longest) < 0 ? wait : longest;
  }

  private List<DriverDelivery> poll(int maxMessages, Duration visibility, int seconds)
      throws InterruptedException {
    List<DriverDelivery> taken;
    try {
      taken = uninterrupted(() -> take(maxMessages, visibility, seconds));
    } catch (RuntimeException e) {
      throwIfInterrupted();
      throw e;
    }
    if (!taken.isEmpty() && (Thread.currentThread().isInterrupted() || !calls.isOpen())) {
      release(taken);
      taken = List.of();
    }
    if (taken.isEmpty()) {
      throwIfInterrupted();
    }
    return taken;
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private List<DriverDelivery> take(int maxMessages, Duration visibility, int seconds) {
    ReceiveMessageRequest request =
        ReceiveMessageRequest.builder()
            .queueUrl(queue.url())
            .maxNumberOfMessages(maxMessages)
            .visibilityTimeout(Seconds.atLeast(visibility))
            .waitTimeSeconds(seconds)
            .messageSystemAttributeNames(
                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                MessageSystemAttributeName.SENT_TIMESTAMP)
            .messageAttributeNames("All")
            .build();
    long since = System.nanoTime();
    // Made once, because a repeat would leave behind the messages of a lost answer.
    return SqsRepeater.once("ReceiveMessage", () -> client.receiveMessage(request))
        .messages()
        .stream()
        .map(message -> delivery(message, since))
        .toList();
  }

  private static DriverDelivery delivery(Message message, long since) {
    return new DriverDelivery(
        message.messageId(),
        new SqsReceipt(since, message.receiptHandle()).handle(),
        Math.toIntExact(number(message, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, 1)),
        Instant.ofEpochMilli(number(message, MessageSystemAttributeName.SENT_TIMESTAMP, 0)),
        WireMessage.read(message),
        null);
  }

  private static long number(Message message, MessageSystemAttributeName name, long otherwise) {
    String value = message.attributes().get(name);
    return value == null ? otherwise : Long.parseLong(value);
  }

  /** Makes messages visible; a failure is only logged, because their leases end anyway. */
  private void release(List<DriverDelivery> taken) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries =
        IntStream.range(0, taken.size())
            .mapToObj(
                i ->
                    ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(SqsReceipt.parse(taken.get(i).receiptHandle()).sqsHandle())
                        .visibilityTimeout(0)
                        .build())
            .toList();
    try {
      boolean all =
          uninterrupted(
              () ->
                  repeater.call(
                      "ChangeMessageVisibilityBatch",
                      true,
                      inDoubt ->
                          !client
                              .changeMessageVisibilityBatch(
                                  request -> request.queueUrl(queue.url()).entries(entries))
                              .hasFailed()));
      if (!all) {
        LOG.log(Level.WARNING, queue.name() + ": some messages return only after their leases");
      }
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          () -> queue.name() + ": " + taken.size() + " messages return only after their leases",
          e);
    }
  }

  /**
   * Makes a call on a thread that nothing interrupts, because the SDK aborts the calls of an
   * interrupted thread. Waits for the call whatever happens to this thread, which keeps its
   * interrupt flag.
   */
  private <A> A uninterrupted(Callable<A> call) {
    Future<A> running = threads.submit(call);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return running.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException cause) {
            throw cause;
          }
          throw new IllegalStateException(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
