package org.svcmailbox.outbox.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The beginning of a body as text. Reads no further than it keeps. */
final class BodyStart implements BodySubscriber<String> {
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int max;
  private Flow.@Nullable Subscription subscription;

  /**
   * @param max how many bytes to keep
   */
  BodyStart(int max) {
    this.max = max;
  }

  @Override
  public CompletionStage<String> getBody() {
    return text;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] part = new byte[Math.min(buffer.remaining(), max - bytes.size())];
      buffer.get(part);
      bytes.writeBytes(part);
    }
    if (subscription == null || bytes.size() < max) {
      more();
    } else {
      subscription.cancel();
      onComplete();
    }
  }

  private void more() {
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    // The status decides; a body that breaks off is a reason that breaks off.
    onComplete();
  }

  @Override
  public void onComplete() {
    text.complete(bytes.toString(StandardCharsets.UTF_8));
  }
}
