package org.svcmailbox.client.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A response body in memory, which fails beyond a number of bytes. */
final class BoundedBody implements BodySubscriber<byte[]> {
  /** The largest answer of the service is a receive of 8 MiB of payloads with all attributes. */
  static final long MAX = 64L << 20;

  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final long max;
  private Flow.@Nullable Subscription subscription;
  private long received;

  BoundedBody(long max) {
    this.max = max;
    var unused = whole.getBody().whenComplete(this::complete);
  }

  private void complete(byte @Nullable [] bytes, @Nullable Throwable failure) {
    if (failure != null) {
      body.completeExceptionally(failure);
    } else {
      body.complete(bytes);
    }
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    whole.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      received += buffer.remaining();
    }
    if (received > max && subscription != null) {
      subscription.cancel();
      body.completeExceptionally(new IOException("the answer has more than " + max + " bytes"));
    } else {
      whole.onNext(buffers);
    }
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
