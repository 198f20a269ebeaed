package org.svcmailbox.bench.stream;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.proto.v1.Outcome;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;

/**
 * SendStreams in closed loops: each has some batches under way, and sends the next when one is
 * answered.
 *
 * @param underWay batches of each stream
 */
record SendStreams(GrpcDoor door, int streams, int underWay, int batch) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final ByteString PAYLOAD = ByteString.copyFrom(LoadPayload.bytes());

  /** The messages of a load, and its time until the last answer. */
  record Sent(long messages, double seconds) {}

  /**
   * Sends for this time.
   *
   * @param keys prefix of the keys, unique among all loads
   */
  Sent run(String topic, String keys, Duration lasting) throws Exception {
    long begun = System.nanoTime();
    long end = begun + lasting.toNanos();
    List<Sender> senders =
        IntStream.range(0, streams).mapToObj(i -> new Sender(topic, keys + i + ".", end)).toList();
    for (int i = 0; i < streams; i++) {
      senders.get(i).begin(i);
    }
    long messages = 0;
    for (Sender sender : senders) {
      messages += sender.done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return new Sent(messages, (System.nanoTime() - begun) / 1e9);
  }

  private final class Sender implements StreamObserver<SendResult> {
    private final String topic;
    private final String keys;
    private final long end;
    private final CompletableFuture<Long> done = new CompletableFuture<>();
    private @Nullable StreamObserver<SendFrame> frames;
    private long sent;
    private long answered;

    Sender(String topic, String keys, long end) {
      this.topic = topic;
      this.keys = keys;
      this.end = end;
    }

    synchronized void begin(int number) {
      frames = door.mailbox(number).sendStream(this);
      for (int i = 0; i < underWay; i++) {
        send();
      }
    }

    private void send() {
      SendBatchRequest.Builder messages = SendBatchRequest.newBuilder();
      for (int i = 0; i < batch; i++) {
        messages.addMessages(
            SendRequest.newBuilder().setTopic(topic).setIdemKey(keys + sent++).setPayload(PAYLOAD));
      }
      Objects.requireNonNull(frames)
          .onNext(SendFrame.newBuilder().setId(sent).setBatch(messages).build());
    }

    @Override
    public synchronized void onNext(SendResult result) {
      if (!result.getOutcomesList().stream().allMatch(Outcome::hasSent)) {
        done.completeExceptionally(new IllegalStateException("refused: " + result));
      }
      answered += result.getOutcomesCount();
      if (System.nanoTime() - end < 0) {
        send();
      } else if (answered == sent) {
        Objects.requireNonNull(frames).onCompleted();
      }
    }

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    public synchronized void onCompleted() {
      done.complete(answered);
    }
  }
}
