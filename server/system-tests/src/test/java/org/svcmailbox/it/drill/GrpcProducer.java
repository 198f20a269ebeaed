package org.svcmailbox.it.drill;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Outcome;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.HistoryRecorder.Call;

/** A client that sends by SendStreams, and sends again what was not answered. One thread. */
final class GrpcProducer implements Runnable {
  private static final int BYTES = 1024;
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration AWAY = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String name;
  private final MailboxServer server;
  private final HistoryRecorder recorder;
  private final Random random;
  private final LongAdder accepted = new LongAdder();
  private final Deque<SendRequest> unanswered = new ArrayDeque<>();
  private volatile boolean ending;
  private long number;

  GrpcProducer(String name, MailboxServer server, HistoryRecorder recorder, Random random) {
    this.name = name;
    this.server = server;
    this.recorder = recorder;
    this.random = random;
  }

  /** Lets {@link #run} return as soon as everything that was sent has been answered. */
  void end() {
    ending = true;
  }

  /** How many messages were answered with an id. */
  long accepted() {
    return accepted.sum();
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted() && !isDone()) {
      try (GrpcClient client = GrpcClient.of(server)) {
        stream(client);
      } catch (IOException e) {
        LockSupport.parkNanos(AWAY.toNanos());
      }
    }
  }

  private boolean isDone() {
    return ending && unanswered.isEmpty();
  }

  /** Sends frame after frame until the stream breaks. */
  private void stream(GrpcClient client) throws IOException {
    Results results = new Results();
    StreamObserver<SendFrame> frames =
        MailboxGrpc.newStub(client.channel())
            .withInterceptors(client.asOperator())
            .sendStream(results);
    for (long id = 1; !isDone() && !Thread.currentThread().isInterrupted(); id++) {
      List<SendRequest> batch = batch();
      List<Call<Accepted>> calls = batch.stream().map(this::call).toList();
      SendResult result = null;
      try {
        frames.onNext(
            SendFrame.newBuilder()
                .setId(id)
                .setBatch(SendBatchRequest.newBuilder().addAllMessages(batch))
                .build());
        result = results.next();
      } catch (IllegalStateException e) {
        // The call was over.
      }
      if (result == null) {
        calls.forEach(Call::unknown);
        unanswered.addAll(batch);
        throw new IOException("no result");
      }
      answered(batch, calls, result);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    frames.onCompleted();
  }

  private void answered(List<SendRequest> batch, List<Call<Accepted>> calls, SendResult result) {
    for (int i = 0; i < batch.size(); i++) {
      Outcome outcome = result.getOutcomes(i);
      if (outcome.hasSent()) {
        accepted.increment();
        calls
            .get(i)
            .ok(new Accepted(outcome.getSent().getMsgId(), outcome.getSent().getDuplicate()));
      } else {
        calls.get(i).unknown();
        unanswered.add(batch.get(i));
      }
    }
  }

  private Call<Accepted> call(SendRequest message) {
    return recorder.send(
        message.getTopic(),
        message.getIdemKey(),
        Blake3.of(message.getPayload().toByteArray()).toString());
  }

  private List<SendRequest> batch() {
    List<SendRequest> batch = new ArrayList<>();
    int size = 1 + random.nextInt(8);
    while (batch.size() < size && !unanswered.isEmpty()) {
      batch.add(unanswered.remove());
    }
    while (batch.isEmpty() || (!ending && batch.size() < size)) {
      batch.add(message());
    }
    return batch;
  }

  private SendRequest message() {
    byte[] payload = new byte[BYTES];
    random.nextBytes(payload);
    return SendRequest.newBuilder()
        .setTopic(LoadTopic.ALL.get(random.nextInt(LoadTopic.ALL.size())).name())
        .setIdemKey(name + "-" + number++)
        .setPayload(ByteString.copyFrom(payload))
        .build();
  }

  private static final class Results implements StreamObserver<SendResult> {
    private final BlockingQueue<SendResult> results = new LinkedBlockingQueue<>();
    private volatile boolean isOver;

    /** Null when the stream has ended. */
    @Nullable SendResult next() {
      long end = System.nanoTime() + PATIENCE.toNanos();
      SendResult result = null;
      try {
        while (result == null && !(isOver && results.isEmpty()) && System.nanoTime() - end < 0) {
          result = results.poll(50, TimeUnit.MILLISECONDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return result;
    }

    @Override
    public void onNext(SendResult result) {
      results.add(result);
    }

    @Override
    public void onError(Throwable failure) {
      isOver = true;
    }

    @Override
    public void onCompleted() {
      isOver = true;
    }
  }
}
