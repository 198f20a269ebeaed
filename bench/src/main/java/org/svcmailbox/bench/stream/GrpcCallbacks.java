package org.svcmailbox.bench.stream;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;

/** Over Send and a RecvStream on one connection. */
final class GrpcCallbacks extends Callbacks {
  private static final int WINDOW = 10;
  private static final long WINDOW_BYTES = 1 << 20;
  private static final long PATIENCE_SECONDS = 20;
  private static final ByteString PAYLOAD = ByteString.copyFrom(LoadPayload.bytes());

  private final GrpcDoor door;
  private final String topic;
  private final Semaphore settled = new Semaphore(0);
  private final GrpcStream stream = new GrpcStream(this::received, settled::release, () -> {});

  GrpcCallbacks(GrpcDoor door, String topic) {
    this.door = door;
    this.topic = topic;
    stream.open(door.mailbox(0), topic, WINDOW, WINDOW_BYTES);
  }

  private void received(Received message) {
    arrived(new Arrival(System.nanoTime(), () -> acknowledge(message)));
  }

  private void acknowledge(Received message) {
    stream.ack(List.of(GrpcStream.ackOf(message)));
    try {
      if (!settled.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("an acknowledgement has no answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  void send(String key) throws Exception {
    Answer answer = new Answer();
    door.mailbox(0)
        .send(
            SendRequest.newBuilder().setTopic(topic).setIdemKey(key).setPayload(PAYLOAD).build(),
            answer);
    Sent unused = answer.sent.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static final class Answer implements StreamObserver<Sent> {
    private final CompletableFuture<Sent> sent = new CompletableFuture<>();

    @Override
    public void onNext(Sent value) {
      sent.complete(value);
    }

    @Override
    public void onError(Throwable failure) {
      sent.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}
  }

  /** Ends the stream, and leaves its connection. */
  @Override
  public void close() {
    stream.cancel();
  }
}
