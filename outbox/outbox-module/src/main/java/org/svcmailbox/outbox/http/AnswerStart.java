package org.svcmailbox.outbox.http;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The head of an answer and the beginning of its body. Reads no further than it keeps. */
final class AnswerStart implements BodyHandler<String>, BodySubscriber<String> {
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int max;
  private volatile @Nullable ResponseInfo head;
  private Flow.@Nullable Subscription subscription;

  /**
   * @param max how many bytes to keep
   */
  AnswerStart(int max) {
    this.max = max;
  }

  @Override
  public BodySubscriber<String> apply(ResponseInfo given) {
    head = given;
    return this;
  }

  /** False until the answer has begun. */
  boolean hasHead() {
    return head != null;
  }

  int status() {
    return head().statusCode();
  }

  HttpHeaders headers() {
    return head().headers();
  }

  private ResponseInfo head() {
    return requireNonNull(head, "an answer has a head");
  }

  /** The text so far: all that comes of a body that breaks off. */
  String soFar() {
    synchronized (bytes) {
      return bytes.toString(StandardCharsets.UTF_8);
    }
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
    boolean isFull = false;
    synchronized (bytes) {
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[Math.min(buffer.remaining(), max - bytes.size())];
        buffer.get(part);
        bytes.writeBytes(part);
      }
      isFull = bytes.size() == max;
    }
    Flow.Subscription given = requireNonNull(subscription, "subscribed first");
    if (isFull) {
      given.cancel();
      onComplete();
    } else {
      given.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    onComplete();
  }

  @Override
  public void onComplete() {
    text.complete(soFar());
  }
}
