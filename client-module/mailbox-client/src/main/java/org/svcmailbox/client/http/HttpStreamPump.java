package org.svcmailbox.client.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;
import org.svcmailbox.client.service.StreamCourse;
import org.svcmailbox.client.service.StreamEnding;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.service.StreamLink;
import org.svcmailbox.client.service.StreamPump;
import org.svcmailbox.client.service.StreamTerms;

/** Opens streams of NDJSON. */
final class HttpStreamPump<M> extends StreamPump<M> {
  private static final String PATH = "/v1/recv/stream";

  /** The service, or a proxy in front of it, does not know the path. */
  private static final Set<Integer> UNKNOWN_PATH = Set.of(404, 405, 406, 501);

  /** The service does not know the stream any more, or has its own rules for resuming. */
  private static final Set<Integer> NOT_RESUMED = Set.of(400, 404, 409, 410);

  private static final int TOO_MANY = 429;

  /** How long the answer to a return of messages may take. */
  private static final Duration GIVE_BACK = Duration.ofSeconds(2);

  private static final Logger LOG = System.getLogger(HttpMailbox.class.getName());

  private final String topic;
  private final StreamFeed<M> feed;
  private final StreamCourse<M> course;
  private final Transport transport;
  private final Duration callTimeout;
  private final HttpConnections connections;

  private HttpStreamPump(
      StreamFeed.Settings<M> settings,
      StreamFeed<M> feed,
      Transport transport,
      Lifecycle lifecycle,
      HttpConnections connections) {
    super(
        settings.log(),
        settings.mailbox(),
        feed.course(),
        lifecycle,
        BackendFeatures.HTTP.minVisibility());
    this.topic = settings.mailbox();
    this.feed = feed;
    this.course = feed.course();
    this.transport = transport;
    this.callTimeout = settings.callTimeout();
    this.connections = connections;
  }

  /**
   * A feed without a stream.
   *
   * @param threads run the pumps
   */
  static <M> StreamFeed<M> feed(
      StreamFeed.Settings<M> settings,
      StreamFormat<M> format,
      StreamFeed.Poll<M> poll,
      Transport transport,
      Lifecycle lifecycle,
      HttpConnections connections,
      Executor threads) {
    int maxLine = maxLine(settings.largest());
    StreamFeed.Door<M> door =
        new StreamFeed.Door<>() {
          @Override
          public StreamLink<M> link(StreamFeed<M> feed, StreamTerms request) {
            return new StreamConnection<>(feed.arrivals(), format, maxLine, request);
          }

          @Override
          public void startPump(StreamFeed<M> feed) {
            new HttpStreamPump<>(settings, feed, transport, lifecycle, connections).start(threads);
          }
        };
    return new StreamFeed<>(settings, poll, door);
  }

  /** The payload is in base64, next to the attributes. */
  private static int maxLine(int largest) {
    return largest / 3 * 4 + (256 << 10);
  }

  @Override
  protected void follow(StreamLink<M> link) throws InterruptedException {
    StreamConnection<M> next = (StreamConnection<M>) link;
    try {
      HttpOutcome reply =
          transport.stream(PATH, HttpJson.stream(topic, next.request()), next.body(), callTimeout);
      if (reply instanceof HttpAnswer answer && answer.isOk()) {
        awaitEnd(next, answer.token());
      } else if (reply instanceof HttpAnswer answer) {
        refused(next, answer);
      } else if (next.body().hasBegun()) {
        // The client of java.net.http fails a response that broke off soon after its head.
        feed.arrivals().over(next, StreamEnding.CUT, null);
        awaitEnd(next, null);
      } else if (reply instanceof HttpOutcome.None none) {
        course.notOpened(next, none.failure());
      }
    } finally {
      next.body().cut();
    }
  }

  private void awaitEnd(StreamConnection<M> open, @Nullable String token)
      throws InterruptedException {
    StreamEnding ending = course.awaitEnd(open);
    open.body().cut();
    if (ending == StreamEnding.SILENT) {
      connections.suspect(StreamFeed.SILENCE);
    }
    course.ended(open, ending, open.problem(token));
  }

  private void refused(StreamConnection<M> asked, HttpAnswer answer) {
    int status = answer.status();
    if (asked.request().resume() != null && NOT_RESUMED.contains(status)) {
      course.notResumed();
    } else if (UNKNOWN_PATH.contains(status)) {
      course.noStreams("the service at " + transport.target(PATH) + " has none");
    } else if (status == TOO_MANY) {
      course.noStreams("the service has as many streams as it may");
    } else {
      course.notOpened(
          asked, Failure.of("call " + transport.target(PATH), status, answer.problem()));
    }
  }

  @Override
  protected void giveBack(StreamTerms request) throws InterruptedException {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    StreamBody body = new StreamBody(StreamTerms.WINDOW_BYTES, new FirstLine(begun));
    try {
      HttpOutcome reply = transport.stream(PATH, HttpJson.stream(topic, request), body, GIVE_BACK);
      if (reply instanceof HttpAnswer answer && answer.isOk()) {
        boolean unused = begun.get(GIVE_BACK.toMillis(), TimeUnit.MILLISECONDS);
      } else if (reply instanceof HttpAnswer answer && answer.status() == 400) {
        giveBackWider(request.wider());
      }
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "messages of " + topic + " are left to their leases", e);
    } finally {
      body.cut();
    }
  }

  private void giveBackWider(@Nullable StreamTerms wider) throws InterruptedException {
    if (wider != null) {
      giveBack(wider);
    }
  }

  /** Waits for one line, and wants no more. */
  private record FirstLine(CompletableFuture<Boolean> begun) implements StreamBody.Sink {
    @Override
    public boolean lines(List<byte[]> lines) {
      if (!lines.isEmpty()) {
        begun.complete(true);
      }
      return lines.isEmpty();
    }

    @Override
    public void over(@Nullable Throwable failure) {
      begun.complete(false);
    }

    @Override
    public void unreadable(Throwable failure) {
      begun.complete(false);
    }
  }
}
