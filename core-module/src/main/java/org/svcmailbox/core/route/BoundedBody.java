package org.svcmailbox.core.route;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects a body, and ends the exchange when it is larger than allowed. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
  private final int most;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription source;

  BoundedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (body.isDone()) {
      return;
    }
    for (ByteBuffer buffer : buffers) {
      if (buffer.remaining() > most - read.size()) {
        if (source != null) {
          source.cancel();
        }
        boolean unused =
            body.completeExceptionally(new IOException("an answer of more than " + most));
        return;
      }
      byte[] part = new byte[buffer.remaining()];
      buffer.get(part);
      read.write(part, 0, part.length);
    }
  }

  @Override
  public void onError(Throwable failure) {
    boolean unused = body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    boolean unused = body.complete(read.toByteArray());
  }
}
