package org.svcmailbox.client.grpc;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;
import org.svcmailbox.client.service.StreamCourse;
import org.svcmailbox.client.service.StreamEnding;
import org.svcmailbox.client.service.StreamFeed;
import org.svcmailbox.client.service.StreamLink;
import org.svcmailbox.client.service.StreamPump;
import org.svcmailbox.client.service.StreamTerms;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Problem;

/** Opens streams over gRPC. */
final class GrpcStreamPump extends StreamPump<DriverDelivery> {
  /** The service no longer knows the stream, or has other rules for resuming. */
  private static final Set<Integer> NOT_RESUMED = Set.of(400, 404, 409, 410);

  private static final int TOO_MANY = 429;
  private static final int UNKNOWN_METHOD = 501;

  /** How long the answer to a give-back may take. */
  private static final Duration GIVE_BACK = Duration.ofSeconds(2);

  /** How long the results of settlements may take when their stream ends. */
  private static final Duration LAST_RESULTS = Duration.ofSeconds(1);

  private final StreamFeed.Settings<DriverDelivery> settings;
  private final StreamFeed<DriverDelivery> feed;
  private final StreamCourse<DriverDelivery> course;
  private final GrpcStreams streams;
  private final GrpcTransport transport;
  private final GrpcConnections connections;

  /** Whether the last stream was refused for its token and another token was available. */
  private boolean isRefreshed;

  GrpcStreamPump(
      StreamFeed.Settings<DriverDelivery> settings,
      StreamFeed<DriverDelivery> feed,
      GrpcStreams streams,
      GrpcTransport transport,
      Lifecycle lifecycle,
      GrpcConnections connections) {
    super(
        settings.log(),
        settings.mailbox(),
        feed.course(),
        lifecycle,
        BackendFeatures.HTTP.minVisibility());
    this.settings = settings;
    this.feed = feed;
    this.course = feed.course();
    this.streams = streams;
    this.transport = transport;
    this.connections = connections;
  }

  @Override
  protected void follow(StreamLink<DriverDelivery> link) throws InterruptedException {
    GrpcLink next = (GrpcLink) link;
    try {
      begin(next);
    } catch (AccessDeniedException e) {
      course.notOpened(next, Failure.refused(e));
    } finally {
      streams.close(next);
      next.cut();
    }
  }

  private void begin(GrpcLink next) throws InterruptedException {
    String token = transport.tokens().token();
    streams.open(next, token);
    try {
      Throwable why = next.awaitBegun(settings.callTimeout());
      if (why == null) {
        isRefreshed = false;
        awaitEnd(next, token);
      } else {
        notBegun(next, why, token);
      }
    } catch (TimeoutException e) {
      connections.suspect();
      course.notOpened(next, Failure.unknown("no answer in time to " + target(), e));
    }
  }

  private void awaitEnd(GrpcLink open, String token) throws InterruptedException {
    StreamEnding ending = course.awaitEnd(open);
    streams.close(open);
    if (ending == StreamEnding.SILENT) {
      connections.suspect();
      open.cut();
    }
    open.end(LAST_RESULTS);
    Problem said = open.problem();
    course.ended(open, ending, said == null ? null : GrpcProblems.problem(said, token));
  }

  private void notBegun(GrpcLink asked, Throwable why, String token) {
    GrpcOutcome<?> reply = GrpcProblems.of(target(), why, token);
    int status =
        reply instanceof GrpcOutcome.Refused<?> refused
            ? refused.problem().status()
            : ((GrpcOutcome.None<?>) reply).status();
    if (asked.request().resume() != null && NOT_RESUMED.contains(status)) {
      course.notResumed();
    } else if (status == UNKNOWN_METHOD) {
      course.noStreams("the service at " + connections.service() + " has none");
    } else if (status == TOO_MANY) {
      course.noStreams("the service has as many streams as it may");
    } else if (GrpcTransport.isUnauthenticated(reply) && !isRefreshed && hasOther(token)) {
      isRefreshed = true;
      course.again(asked);
    } else {
      course.notOpened(asked, failure(reply));
    }
  }

  /** Whether there is another token for the next stream. */
  private boolean hasOther(String refused) {
    return !transport.tokens().refreshed(refused).equals(refused);
  }

  private Failure failure(GrpcOutcome<?> reply) {
    if (reply instanceof GrpcOutcome.Refused<?> refused) {
      return refused.failure();
    }
    connections.unanswered();
    return ((GrpcOutcome.None<?>) reply).failure();
  }

  private String target() {
    return transport.target(MailboxGrpc.getRecvStreamMethod());
  }

  /** Without credit, no more messages come. */
  @Override
  protected void giveBack(StreamTerms request) throws InterruptedException {
    GrpcLink last = streams.link(feed, request);
    try {
      streams.start(last, transport.tokens().token());
      @Nullable Throwable why = last.awaitBegun(GIVE_BACK);
      if (why != null) {
        settings.log().log(Level.DEBUG, left(), why);
      }
    } catch (AccessDeniedException | TimeoutException e) {
      settings.log().log(Level.DEBUG, left(), e);
    } finally {
      last.cut();
    }
  }

  private String left() {
    return "messages of " + settings.mailbox() + " are left to their leases";
  }
}
